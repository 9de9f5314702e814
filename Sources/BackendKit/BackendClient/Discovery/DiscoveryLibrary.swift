public import BackendKit

/// The interface of the library that surveys unknown services, for the program that opens it.
///
/// The first command that needs it opens it, so that other runs do not pay for it. The library exports two functions:
/// ``stampSymbol``, which has to be called first, and ``entrySymbol``.
public final class DiscoveryLibrary: LibraryContent {
  /// The C function that returns the build stamp, as bytes that end with a zero.
  public static let stampSymbol = "switchboard_discovery_stamp"
  /// The C function that returns what `pass()` gives.
  public static let entrySymbol = "switchboard_discovery"

  /// Surveys services.
  public let surveyor: any ServiceSurveyor

  /// A library with a surveyor.
  public init(_ surveyor: any ServiceSurveyor) { self.surveyor = surveyor }
}
