import BackendKit
import BackendTransport

/// The stamp of the BackendKit that this library was compiled against: a text in the library itself, so that it can be
/// read before anything else.
@c(switchboard_transport_stamp)
public func transportStamp() -> UnsafePointer<UInt8> { BuildStamp.compiled().utf8Start }

/// Returns the content of this library to the program that opened it.
@c(switchboard_transport)
public func transportEntry() -> UnsafeMutableRawPointer {
  TransportLibrary(
    transport: { settings throws(BackendError) in try HTTPTransport(settings) },
    certificate: { address, patience async throws(BackendError) in
      try await ShownCertificate.read(at: address, patience)
    },
    run: { HTTPTransport.run(on: $0) }
  ).pass()
}
