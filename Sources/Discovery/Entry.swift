import BackendClient
import BackendKit

/// The stamp of the BackendKit that this library was compiled against: asked for before anything else.
@c(switchboard_discovery_stamp)
public func discoveryStamp() -> UnsafePointer<UInt8> { BuildStamp.compiled().utf8Start }

/// What this library has for the program that opened it.
@c(switchboard_discovery)
public func discoveryEntry() -> UnsafeMutableRawPointer { DiscoveryLibrary(Surveyor()).pass() }
