import ArgumentParser
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
    var settings = Settings(Fault.switches + dialects.flatMap(\.switches))
    do {
      for assignment in options.set { try settings.set(assignment) }
    } catch {
      fail(error.description, status: 2)
    }
    if options.listSwitches {
      print(listing(of: settings.switches))
      return
    }
    do {
      let store = try filledStore(options, settings: settings)
      if options.untilEOF { exitAtEndOfInput() }
      try await serve(DemoResponder(dialects: dialects, store: store, settings: settings), port: options.port)
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

  private static func listing(of switches: [Switch]) -> String {
    switches
      .map { "\($0.name)=\($0.valuesText)\n    \($0.help) (default: \($0.standard))" }
      .joined(separator: "\n")
  }
}
