/// The interface of the library that examines unknown services, for the program that opens it.
///
/// It is opened by the first command that needs it, so that no other run pays for it. The library exports two
/// functions: ``stampSymbol``, which has to be called first, and ``entrySymbol``.
public final class DiscoveryLibrary: Sendable {
  /// The C function that returns the build stamp, as bytes that end with a zero.
  public static let stampSymbol = "switchboard_discovery_stamp"
  /// The C function that returns what ``pass()`` gives.
  public static let entrySymbol = "switchboard_discovery"

  /// Looks at services.
  public let surveyor: any ServiceSurveyor

  /// A library with a surveyor in it.
  public init(_ surveyor: any ServiceSurveyor) { self.surveyor = surveyor }

  /// Hands it over as an address; ``take(_:)`` gets it back.
  public func pass() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  /// Returns the library at an address from ``pass()``. Each address can be taken once.
  public static func take(_ address: UnsafeMutableRawPointer) -> DiscoveryLibrary {
    Unmanaged<DiscoveryLibrary>.fromOpaque(address).takeRetainedValue()
  }
}
