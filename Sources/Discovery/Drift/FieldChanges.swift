import BackendClient
import BackendKit
import ServiceDescription

/// The differences between the described fields and the records that were read.
struct FieldChanges {
  private(set) var list: [DescriptionChange] = []
  private(set) var doubts: [String] = []
  private let written: WrittenResource
  private let survey: ResourceSurvey
  private let rows: [Object]

  /// With more new values than this, it is not an enumeration.
  private static let mostValues = 5
  private static let longestValue = 40
  private static let mostNames = 10
  /// The number of records without a field after which it counts as removed.
  private static let enoughRows = 10

  init(_ written: WrittenResource, _ survey: ResourceSurvey) {
    (self.written, self.survey) = (written, survey)
    var rows = survey.rows.prefix(FieldsProbe.mostRows).map { survey.fields(of: $0) }
    if let identifier = survey.identifier { rows.append(survey.fields(of: identifier.record)) }
    self.rows = rows
    guard let fields = written["fields"]?.members, !rows.isEmpty else { return }
    for field in fields where field.node.value != .null {
      let author = written.author(ofField: field.node)
      // A preset is for many installations, each of which shows few of its fields.
      guard author != .preset else { continue }
      compare(field, author)
    }
    addNew(beside: fields)
  }

  private var seen: String { counted(rows.count, "record") + " read" }

  private func change(
    _ path: [String], _ before: Node, _ after: Value?, _ author: DescriptionChange.Author, isProved: Bool
  ) -> DescriptionChange {
    var change = written.change(["fields"] + path, before, after, seen, isProved: isProved)
    change.author = author
    return change
  }

  private mutating func compare(_ field: Node.Member, _ author: DescriptionChange.Author) {
    let (name, node) = (field.name, field.node)
    // Fields that are read elsewhere, hidden or documented in words are not compared.
    let isApart = ["readPath", "secret", "hidden", "note", "writePath"].contains { node[$0] != nil }
    let values = rows.compactMap { $0[name] }
    guard !values.isEmpty else {
      guard !isApart, !isKnownElsewhere(name) else { return }
      // A small sample may lack it by chance.
      if author == .survey, survey.whole != nil || rows.count >= Self.enoughRows {
        list.append(change([name], node, nil, author, isProved: false))
      } else {
        doubts.append("\(written.name): no record that was read has the field \(name), which the description has")
      }
      return
    }
    guard !isApart else { return }
    let known = values.filter { $0 != .null }
    let type = node["type"] ?? (node.members == nil ? node : nil)
    if let type, let said = type.value.text, node["numericBoolean"] == nil, !known.allSatisfy({ Self.fits($0, said) }) {
      let path = node.members == nil ? [name] : [name, "type"]
      list.append(
        change(path, type, .string(FieldsProbe.type(known) ?? "any"), author, isProved: false))
    }
    if let values = node["values"], case .list = values.content { compare(name, values, known, author) }
  }

  /// Adds the values of an enumeration that only records have.
  private mutating func compare(
    _ name: String, _ values: Node, _ known: [Value], _ author: DescriptionChange.Author
  ) {
    let said = values.value.array ?? []
    var others: [Value] = []
    for value in known where value.array == nil && value.object == nil && !(said + others).contains(value) {
      others.append(value)
    }
    guard !others.isEmpty else { return }
    guard others.count <= Self.mostValues, others.allSatisfy({ $0.plainText.count <= Self.longestValue }) else {
      return doubts.append("\(written.name): \(name) has more values than the description has")
    }
    list.append(change([name, "values"], values, .array(said + others), author, isProved: true))
  }

  /// Adds undescribed fields of records, if the description excludes others, or `add` has written it.
  private mutating func addNew(beside fields: [Node.Member]) {
    let authors = fields.map { written.author(ofField: $0.node) }
    let isOpen = written.node["additionalFields"]?.value == true
    guard authors.contains(.survey) || authors.contains(.person) else { return }
    var names: [String] = []
    for (name, claim) in survey.claims.fields where rows.contains(where: { $0[name] != nil }) {
      guard !fields.contains(where: { $0.name == name }) else { continue }
      guard authors.contains(.survey) || !isOpen else {
        names.append(name)
        continue
      }
      list.append(
        DescriptionChange(
          resource: written.name, path: ["fields", name], before: nil, after: claim.value, evidence: claim.evidence,
          author: authors.contains(.survey) ? .survey : .person))
    }
    guard !names.isEmpty else { return }
    let shown = names.prefix(Self.mostNames).joined(separator: ", ")
    let more = names.count > Self.mostNames ? " and \(names.count - Self.mostNames) more" : ""
    doubts.append("\(written.name): not described, as the description permits: \(shown)\(more)")
  }

  private func isKnownElsewhere(_ name: String) -> Bool {
    survey.options?[name] != nil || FieldsProbe(survey).schema()?[name] != nil || survey.bodies?[name] != nil
  }

  private static func fits(_ value: Value, _ type: String) -> Bool {
    switch type {
    case "text": value.text != nil
    case "integer": value.integer != nil
    case "boolean": value.bool != nil
    case "list": value.array != nil
    case "object": value.object != nil
    case "number":
      if case .number = value { true } else { false }
    case "date", "day": value.array == nil && value.object == nil && value.bool == nil
    default: true
    }
  }
}
