import ArgumentParser
import DemoService
import Foundation

/// The program: reads the command line, fills the store and serves. Exits with 2 for a wrong command line, with 1 for
/// what stands in the way.
@main
enum DemoServer {
  static func main() async {
    let options: Options
    do {
      options = try Options.parse()
    } catch {
      if Options.exitCode(for: error) == .success { Options.exit(withError: error) }
      fail(Options.message(for: error), status: 2)
    }
    do {
      if options.listSwitches { return print(try Settings.all(setting: options.set).listing) }
      let service = try DemoService(options.content, setting: options.set)
      if options.untilEOF { exitAtEndOfInput() }
      try await serve(DemoResponder(service: service), port: options.port)
    } catch let error as Settings.Refusal {
      fail(error.description, status: 2)
    } catch let error as StartError {
      fail(error.sentence, status: 1)
    } catch {
      fail("The demo server stopped: \(error)", status: 1)
    }
  }

  private static func fail(_ sentence: String, status: Int32) -> Never {
    let line = sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardError.write(Data("switchboard-demo: \(line)\n".utf8))
    exit(status)
  }
}
