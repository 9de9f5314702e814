import BackendClient
import BackendKit

/// The stamp of the BackendKit that this library was compiled against: asked for before anything else.
@c(switchboard_discovery_stamp)
public func discoveryStamp() -> UnsafePointer<UInt8> { BuildStamp.compiled().utf8Start }

/// Returns this library's interface to the program that loaded it.
@c(switchboard_discovery)
public func discoveryEntry() -> UnsafeMutableRawPointer { DiscoveryLibrary(Surveyor()).pass() }
