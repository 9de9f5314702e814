import BackendKit
import CCurl

/// A server with the requests to it. Used on the loop's thread alone.
final class Server {
  /// A server with what distinguishes the connections to it in their number.
  struct Name: Hashable {
    let origin: Origin
    let proxy: ProxyServer?
  }

  /// The number of requests under way.
  var running = 0
  /// Those that wait until there are fewer.
  var waiting: [Attempt] = []
  /// The number of connections that should be idle.
  var idle = 0
  /// The time at which the last of them became so.
  var lastKept = ContinuousClock.now
  /// True if it closes connections without having said so: a write could meet one that is being closed.
  var isClosing = false
}

/// A way to a server, with the handles that have done their work: they have the settings of the way. Used on the loop's thread alone.
final class Lane {
  let way: Way
  let server: Server
  var handles: [UnsafeMutableRawPointer] = []

  init(_ way: Way, to server: Server) { (self.way, self.server) = (way, server) }

  deinit { for handle in handles { cc_end(handle) } }
}
