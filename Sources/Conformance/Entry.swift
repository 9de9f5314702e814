import BackendClient
import BackendConformance
import BackendKit

/// The stamp of the BackendKit that this library was compiled against: asked for before anything else.
@c(switchboard_conformance_stamp)
public func conformanceStamp() -> UnsafePointer<UInt8> { BuildStamp.compiled().utf8Start }

/// Returns the contents of this library for the program that opened it.
@c(switchboard_conformance)
public func conformanceEntry() -> UnsafeMutableRawPointer { ConformanceLibrary(SuiteJudge()).pass() }
