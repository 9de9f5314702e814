import BackendClient
import BackendKit

/// The stamp of the BackendKit that this library was compiled against. The loader checks it first.
@c(switchboard_discovery_stamp)
public func discoveryStamp() -> UnsafePointer<UInt8> { BuildStamp.compiled().utf8Start }

/// Returns the library's interface to the program that loads it.
@c(switchboard_discovery)
public func discoveryEntry() -> UnsafeMutableRawPointer { DiscoveryLibrary(Surveyor()).pass() }
