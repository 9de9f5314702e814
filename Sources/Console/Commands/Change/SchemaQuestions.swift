import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

struct SchemaQuestions: CommandPart {
  let context: CommandContext

  /// Asks for the fields of a JSON Schema, one by one; nil if there are none. A first answer that begins with a brace
  /// is the schema itself. Throws if the user cancels; then nothing was sent.
  func askSchema(for field: FieldDescription) async throws -> Value? {
    var (properties, required) = (Object(), [Value]())
    while true {
      let number = properties.names.count + 1
      guard
        let name = await Questions(context).answer(
          to: EscapedText("\(field.name), field \(number) (name; Enter ends): "))
      else {
        throw RecordQuestions.givenUp(of: "create")
      }
      do throws(UsageError) {
        if number == 1, name.hasPrefix("{") { return try Assignments.value(answered: name, field) }
        if name.isEmpty {
          guard number == 1 else { break }
          guard field.isRequired else { return nil }
          throw UsageError("\(field.name) needs a field")
        }
        guard properties[name] == nil else { throw UsageError("the field \(name) already exists") }
      } catch {
        Questions(context).complain(error)
        continue
      }
      let kinds = FieldDescription.Kind.asked
      let kind = FieldDescription(name, .text, values: kinds.map { .string($0.rawValue) })
      let word = try await ask(kind, "kind (\(kinds.map(\.rawValue).joined(separator: "|"))) [text]", or: "text")
      properties[name] = FieldDescription.Kind(rawValue: word.plainText)?.jsonSchema ?? .object(Object())
      let must = try await ask(FieldDescription(name, .boolean), "required (boolean) [false]", or: false)
      if must == true { required.append(.string(name)) }
    }
    var schema = Object(facts: [("type", "object"), ("properties", properties)])
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object(schema)
  }

  /// Returns the answer to a question as a value of the type of `answer`. Enter accepts the offered value.
  private func ask(_ answer: FieldDescription, _ question: String, or offered: Value) async throws -> Value {
    while true {
      guard let text = await Questions(context).answer(to: EscapedText("\(answer.name), \(question): ")) else {
        throw RecordQuestions.givenUp(of: "create")
      }
      if text.isEmpty { return offered }
      do throws(UsageError) {
        let value = try Assignments.value(answered: text, answer)
        if let complaint = answer.complaint(about: value) { throw UsageError(complaint) }
        return value
      } catch { Questions(context).complain(error) }
    }
  }
}

extension FieldDescription.Kind {
  /// The types offered for a field of a schema.
  fileprivate static let asked: [Self] = [.text, .integer, .number, .boolean, .date, .day, .object, .list]

  fileprivate var jsonSchema: Value {
    switch self {
    case .text, .html: ["type": "string"]
    case .date: ["type": "string", "format": "date-time"]
    case .day: ["type": "string", "format": "date"]
    case .list: ["type": "array"]
    case .integer, .number, .boolean, .object: .object(Object(facts: [("type", rawValue)]))
    case .any: .object(Object())
    }
  }
}
