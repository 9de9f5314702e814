import BackendKit

/// A function that a program implements.
enum ProgramQuestion: String, CaseIterable, Sendable {
  case compileQuery, encodeValues, encodeBody, decodeRecord, normalize, itemPath, classifyError, interceptWrite,
    nextPage
}

/// The greeting in which a program describes itself.
struct ProgramHello: Sendable {
  let name: String
  let version: String
  let summary: String
  let options: [OptionDescription]
  let answers: [ProgramQuestion]

  /// Reads the answer to the first question, which must have the name of the file.
  init(_ answer: ProgramReading, name: String) throws(ProgramMistake) {
    let version = answer.object["switchboard"]
    guard version?.integer == ProgramPlugin.version else {
      let spoken = version.map { JSONWriter.compact($0).prefix(40) } ?? "none"
      throw ProgramMistake("speaks version \(spoken) of the protocol, and this console \(ProgramPlugin.version)")
    }
    try answer.allow(["switchboard", "name", "version", "summary", "options", "answers"])
    self.name = try answer.text("name")
    guard self.name == name else { throw ProgramMistake("has the name \"\(self.name)\"") }
    self.version = try answer.text("version")
    summary = try answer.text("summary")
    options = try answer.objects("options").map { option throws(ProgramMistake) in try OptionDescription(option) }
    guard Set(options.map(\.name)).count == options.count else {
      throw ProgramMistake("described one option twice")
    }
    answers = try answer.texts("answers").map { name throws(ProgramMistake) in
      guard let question = ProgramQuestion(rawValue: name) else {
        let known = ProgramQuestion.allCases.map(\.rawValue).joined(separator: ", ")
        throw ProgramMistake("answers the unknown question \"\(name)\" (known: \(known))")
      }
      return question
    }
  }
}

extension OptionDescription {
  /// An option in the answer to hello. None is a secret: a program gets no credentials.
  fileprivate init(_ option: ProgramReading) throws(ProgramMistake) {
    try option.allow(["name", "kind", "choices", "default", "help", "switchable"])
    let name = try option.text("name")
    guard let first = name.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic,
      name.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) })
    else { throw ProgramMistake("has the option \"\(name)\", whose name does not consist of letters and digits") }
    let word = try option.text("kind")
    let kind: Kind
    switch word {
    case "text": kind = .text
    case "integer": kind = .integer
    case "boolean": kind = .boolean
    case "object": kind = .object
    case "choice": kind = .choice(try option.texts("choices"))
    default: throw ProgramMistake("has the option \(name) of the unknown kind \"\(word)\"")
    }
    let value = option.object["default"].flatMap { $0 == .null ? nil : $0 }
    self.init(
      name, kind, default: value, help: try option.text("help"),
      isSwitchable: option.object["switchable"] == .bool(true))
  }
}
