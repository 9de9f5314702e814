import Console
import ConsoleSystem

/// The program's arguments as bytes: the standard library would repair invalid UTF-8.
struct ProgramArguments {
  /// The words after the program's name; invalid UTF-8 in them is replaced.
  let words: [String]
  /// A sentence that describes the first invalid argument; nil if all are UTF-8.
  let complaint: String?

  init() {
    var words: [String] = []
    var complaint: String?
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { break }
      if String(validatingCString: argument) == nil {
        let bytes = UnsafeRawBufferPointer(start: argument, count: Self.length(argument))
        complaint =
          complaint
          ?? "argument \(index) is not valid UTF-8 at byte \((TextBytes.invalidPlace(in: bytes) ?? 0) + 1)"
          + " (commands, values and file names are read as UTF-8)"
      }
      words.append(String(cString: argument))
    }
    self.words = words
    self.complaint = complaint
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var count = 0
    while text[count] != 0 { count += 1 }
    return count
  }
}
