import BackendClient
import BackendKit
import ConsoleSystem

enum RecordEdit {
  /// Several fields as YAML.
  case fields(EditText, text: String, before: [String: EditedText])
  case field(FieldDescription?, name: String, EditText.Opened, text: String)

  var text: String {
    switch self {
    case .fields(_, let text, _), .field(_, _, _, let text): text
    }
  }

  /// The file name extension, by which editors recognize the format.
  var ending: String {
    switch self {
    case .fields: "yaml"
    case .field(let field, _, _, _): field?.kind == .html ? "html" : "txt"
    }
  }

  /// All fields of records. Multi-line texts become blocks only if they are read back unchanged.
  init(_ edit: EditText, _ reader: any ServiceSurveyor) throws(CommandFailure) {
    for usesBlocks in [true, false] {
      let text = edit.text(usesBlocks: usesBlocks)
      guard let read = try? EditedText.read(text, marks: edit.records.map(\.mark), reader) else { continue }
      let isSame = edit.records.allSatisfy { opened in
        let fields = edit.writable(opened)
        return read[opened.mark].map { found in
          found.fields.count == fields.count
            && found.fields.allSatisfy { field in fields[field.name].map { $0.isSame(as: field.value) } ?? false }
        } ?? false
      }
      if isSame {
        self = .fields(edit, text: text, before: read)
        return
      }
    }
    throw CommandFailure(
      .failure, "the record cannot be written as YAML and read back unchanged", hint: "edit a single field with --field"
    )
  }

  init(_ name: String, of opened: EditText.Opened, _ resource: ResourceDescription) throws(UsageError) {
    let field = resource.field(named: name)
    if field?.refusesWrites == true || name == resource.identifier.field {
      throw UsageError("\(name) of \(resource.name) is read-only: only the server sets it")
    }
    switch opened.image.value(of: name) {
    case .value(.string(let text)): self = .field(field, name: name, opened, text: text)
    case .value(.null), .absent:
      guard let field else {
        throw UsageError("unknown field \"\(name)\" in \(resource.name)")
      }
      guard [.text, .html, .any].contains(field.kind) else { throw Self.isNoText(name) }
      self = .field(field, name: name, opened, text: "")
    case .value: throw Self.isNoText(name)
    case .unknown("secret"):
      throw UsageError("\(name) is a secret, which is not written to a file", hint: "update sets it")
    case .unknown: throw UsageError("\(name) of \(opened.id) is not loaded")
    }
  }

  private static func isNoText(_ name: String) -> UsageError {
    UsageError("\(name) is not text", hint: "edit the record without --field")
  }

  func changes(
    in text: String, _ reader: any ServiceSurveyor
  ) throws(EditMistake) -> [(opened: EditText.Opened, changes: [(change: Change, line: Int?)])] {
    switch self {
    case .fields(let edit, _, let before):
      let after = try EditedText.read(text, marks: edit.records.map(\.mark), reader)
      return edit.records.compactMap { opened in
        guard let old = before[opened.mark], let new = after[opened.mark] else { return nil }
        return (opened, new.changes(since: old))
      }
    case .field(_, let name, let opened, let old):
      // Editors add a line end to the last line.
      let new = old.hasSuffix("\n") || !text.hasSuffix("\n") ? text : String(text.dropLast())
      return [(opened, new == old ? [] : [(.set(name, .string(new)), nil)])]
    }
  }
}
