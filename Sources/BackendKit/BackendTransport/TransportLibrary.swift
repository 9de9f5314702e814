public import BackendKit

/// The interface of a transport library for the program that opens it.
///
/// The library is opened with the first connection, so that a program that sends nothing does not pay for loading it.
/// It exports two functions: ``stampSymbol``, which is called first and before anything else, and ``entrySymbol``.
public final class TransportLibrary: LibraryContent {
  /// The C function that returns the build stamp, as bytes that end with a zero.
  public static let stampSymbol = "switchboard_transport_stamp"
  /// The C function that returns what `pass()` gives.
  public static let entrySymbol = "switchboard_transport"

  /// Creates a transport; sends nothing. Throws `misconfigured` for errors in the settings.
  public let transport: @Sendable (TransportSettings) throws(BackendError) -> any Transport
  /// The certificate of the server at an address, within a time limit; sends nothing but the TLS handshake.
  public let certificate:
    @Sendable (_ address: String, _ patience: Duration) async throws(BackendError) -> ServerCertificate
  /// Makes the event loop of all transports run on a thread of the host. Has to be called before the first request.
  public let run: @Sendable (any LoopHost) -> Void

  /// A library with its functions.
  public init(
    transport: @escaping @Sendable (TransportSettings) throws(BackendError) -> any Transport,
    certificate: @escaping @Sendable (String, Duration) async throws(BackendError) -> ServerCertificate,
    run: @escaping @Sendable (any LoopHost) -> Void
  ) {
    self.transport = transport
    self.certificate = certificate
    self.run = run
  }
}
