import BackendKit
public import ConsoleOutput
import ConsoleSystem

/// The beginning of the program: what the words behind its name ask for.
public enum ProgramStart: Sendable {
  /// To run with these options.
  case run(CommandLineOptions)
  /// Nothing more: all that was asked for is printed. The exit status.
  case over(Int32)

  /// Reads the words, and prints what needs no run: a help text, the version, or what is wrong with them. `complaint` is wrong with the
  /// words already.
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
  /// Writes text and has it out.
  public func finish(_ text: EscapedText) {
    write(text)
    flush()
  }

  /// Writes lines that stay as they are and has them out.
  func finish(whole text: EscapedText) {
    write(whole: text)
    flush()
  }
}
