public import BackendKit
public func x() -> StaticString { BuildStamp.sources() }
