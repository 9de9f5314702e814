import DemoService
import Foundation
import Hummingbird
import Logging
import NIOCore

extension DemoServer {
  /// Serves until the process ends; says where, once connections are accepted.
  static func serve(_ responder: DemoResponder, port: Int) async throws {
    let application = Application(
      responder: responder,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        let line = "listening on http://127.0.0.1:\(channel.localAddress?.port ?? port)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
      },
      logger: Logger(label: "switchboard-demo") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await application.run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw StartError(sentence: "Port \(port) of 127.0.0.1 is taken; choose another with --port, or leave it out.")
    } catch let error as IOError where error.errnoCode == EACCES {
      throw StartError(sentence: "Port \(port) of 127.0.0.1 may not be used; choose one above 1023 with --port.")
    }
  }

  /// Ends the process when standard input ends. Whoever holds the other end of the pipe need not do anything for it:
  /// the system closes the pipe however that process ends.
  static func exitAtEndOfInput() {
    let thread = Thread {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count > 0 || (count < 0 && errno == EINTR) { continue }
        _exit(0)
      }
    }
    thread.start()
  }
}
