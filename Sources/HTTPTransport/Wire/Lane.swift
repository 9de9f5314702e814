import BackendKit
import CCurl

/// A server with the requests to it. Used only on the loop's thread.
final class Server {
  /// The identity of a server and of its kind of connections.
  struct Name: Hashable {
    let origin: Origin
    let proxy: ProxyServer?
  }

  var running = 0
  /// The requests that wait for others to end.
  var waiting: [Attempt] = []
  /// The expected number of idle connections.
  var idle = 0
  /// The time at which the last of them became idle.
  var lastKept = ContinuousClock.now
  /// True if it closes connections without announcing it: a write could meet one that is being closed.
  var isClosing = false
}

/// A way to a server, with finished handles that have its settings. Used only on the loop's thread.
final class Lane {
  let way: Way
  let server: Server
  var handles: [UnsafeMutableRawPointer] = []

  init(_ way: Way, to server: Server) { (self.way, self.server) = (way, server) }

  deinit { for handle in handles { cc_end(handle) } }
}
