import BackendKit

extension Command {
  /// Copies what is shown to a file.
  static let tee = Command(
    "tee", .console, "Copy all further results to a file as well", arguments: [.optional(.file(.written))],
    alternatives: [[.word("off")]], effects: [],
    options: SharedOptions.format,
    details: [
      "The copy is added at the end of the file, without colors. `tee off` ends it; without a file tee says where the",
      "copy goes. A file called off is written ./off.",
    ],
    examples: [Example(line: "tee off", says: "stops copying")]
  ) { invocation, context in
    guard let path = invocation.words.first?.text else {
      let copy = context.results.output.copyPath
      try context.present(
        Object(present: [("isCopied", .bool(copy != nil)), ("file", copy.map { .string($0) })]), invocation,
        text: "\(copy.map { "results are copied to \($0)" } ?? "results are not copied")\n")
      return .done
    }
    if path != "off", try context.rehearsesWriting(to: invocation.words.first) { return .done }
    let copy = path == "off" ? nil : try OutputCopy(addingTo: path)
    return .changing(.tee(copy))
  }
}
