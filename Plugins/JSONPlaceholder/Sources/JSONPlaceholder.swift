import BackendKit
func stamp() -> StaticString { BuildStamp.sources() }
