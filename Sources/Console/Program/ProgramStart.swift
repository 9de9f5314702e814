import BackendKit
public import ConsoleOutput
import ConsoleSystem

/// The action that the command line requests.
public enum ProgramStart: Sendable {
  /// Run with these options.
  case run(CommandLineOptions)
  /// Exit with this status: everything requested was printed.
  case over(Int32)

  /// Parses the arguments, and prints the help, the version or an error if these end the program. `complaint` is an
  /// error found before.
  public init(_ words: [String], complaint: String? = nil, version: String, output: Output, errors: Output) {
    func show(_ text: EscapedText) -> ExitStatus {
      output.finish(text)
      guard let complaint = output.complaint else { return output.lostItsReader ? .brokenPipe : .success }
      errors.finish("error: \(complaint)\n")
      return .failure
    }
    switch complaint.map({ .wrong($0) }) ?? CommandLineOptions.parse(words) {
    case .help(let text): self = .over(show(text).rawValue)
    case .version:
      let network = SystemLibrary.network.open().version ?? "libcurl: missing"
      self = .over(show("switchboard \(version)\n\(BuildStamp.compiled())\n\(network)\n").rawValue)
    case .wrong(let sentence):
      errors.finish(ErrorReport.line(sentence, .usage, in: CommandLineOptions.errorForm(words)) + "\n")
      self = .over(ExitStatus.usage.rawValue)
    case .run(let options): self = .run(options)
    }
  }
}

extension Output {
  /// Writes text and flushes.
  public func finish(_ text: EscapedText) {
    write(text)
    flush()
  }

  /// Writes unmodified lines and flushes.
  func finish(whole text: EscapedText) {
    write(whole: text)
    flush()
  }
}
