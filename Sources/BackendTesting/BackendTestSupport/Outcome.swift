import BackendKit

/// Outcomes of calls as shown in tables, on one line.
enum Outcome {
  /// Returns whether a text is the expected one, in which `...` stands for any text.
  static func matches(_ text: String, _ expected: String) -> Bool {
    let parts = expected.replacing(text: "...", with: "\u{0}").split(
      separator: "\u{0}", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return text == expected }
    guard text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let place = String(rest).firstRange(ofText: String(part)) else { return false }
      rest = Substring(String(rest)[place.upperBound...])
    }
    return rest.hasSuffix(last)
  }

  static func text(_ id: RecordID?) -> String { id.map { $0.isSole ? "sole" : $0.text } ?? "-" }

  /// The identifier, the fields, those not loaded and the revision.
  static func text(_ record: Record) -> String {
    var parts = ["\(text(record.id)) \(JSONWriter.compact(.object(record.fields)))"]
    if !record.unloaded.isEmpty { parts.append("unloaded \(record.unloaded.joined(separator: " "))") }
    if let revision = record.revision { parts.append("revision \(revision)") }
    return parts.joined(separator: "; ")
  }

  static func text(_ receipt: WriteReceipt) -> String {
    var parts = [text(receipt.id)]
    if let record = receipt.record {
      let shown = text(record)
      parts[0] = record.id == receipt.id ? shown : "\(parts[0]), \(shown)"
    }
    if let answer = receipt.answer { parts.append("answer \(JSONWriter.compact(answer))") }
    if !receipt.hidden.isEmpty { parts.append("hidden \(receipt.hidden.joined(separator: " "))") }
    if receipt.writes != .kept { parts.append(receipt.writes.rawValue) }
    return (parts + receipt.notes.map { "note: \($0)" }).joined(separator: "; ")
  }

  /// The records of pages, and the end of the list.
  static func text(_ pages: [(records: [Record], end: PageEnd)], _ show: (Record) -> String) -> String {
    let separator = show(Record(id: "", fields: Object())).contains("{") ? " + " : " "
    let shown = pages.map { $0.records.isEmpty ? "none" : $0.records.map(show).joined(separator: separator) }
    var parts = [shown.joined(separator: " | ")]
    var totals: [String] = []
    for total in pages.compactMap(\.end.total) where totals.last != "\(total)" { totals.append("\(total)") }
    if !totals.isEmpty { parts.append("total \(totals.joined(separator: " "))") }
    if let size = pages.first?.end.pageSize { parts.append("size \(size)") }
    if let next = pages.last?.end.next { parts.append("next \(next)") }
    if let end = pages.last?.end, end.next == nil, end.proof != .proved { parts.append("end \(end.proof.rawValue)") }
    return parts.joined(separator: "; ")
  }

  /// The first request, the fidelity of the conditions, and other parts that are not exact.
  static func text(_ plan: QueryPlan) -> String {
    var parts = [plan.request]
    if !plan.filters.isEmpty { parts.append(plan.filters.map(\.rawValue).joined(separator: " ")) }
    for (name, part) in [("sort", plan.sort), ("search", plan.search), ("fields", plan.fields), ("skip", plan.skip)]
    where part != .exact { parts.append("\(name) \(part.rawValue)") }
    return parts.joined(separator: "; ")
  }

  static func text(_ description: BackendDescription) -> String {
    let product = [description.product, description.apiVersion].compactMap(\.self).joined(separator: ", ")
    let names = description.resources.map(\.name).joined(separator: " ")
    return "\(product): \(names)" + (description.note.map { "; note: \($0)" } ?? "")
  }

  /// The source of the fields, each field with its kind, the operations and the actions.
  static func text(_ resource: ResourceDescription) -> String {
    let fields = resource.fields.map { field in
      "\(field.name) \(field.kind.rawValue)" + (field.reference.map { " of \($0.resource)" } ?? "")
        + (field.isRequired ? " required" : "") + (field.isReadOnly ? " read-only" : "")
    }
    let can = resource.capabilities
    var parts = ["\(resource.source.rawValue): \(fields.joined(separator: ", "))"]
    parts.append(Capabilities.Operation.allCases.filter(can.operations.contains).map(\.rawValue).joined(separator: " "))
    if can.hasTotal { parts.append("total") }
    if can.canClear { parts.append("clears") }
    if can.hasRevisions { parts.append("revisions") }
    if can.takesIdentifiers { parts.append("takes identifiers") }
    if can.writes != .kept { parts.append(can.writes.rawValue) }
    if !can.unlistedFields.isEmpty {
      parts.append(
        (can.unlistedIsLikely ? "likely unlisted " : "unlisted ") + can.unlistedFields.joined(separator: " "))
    }
    if can.omitsRecords { parts.append("omits records") }
    let dependents = resource.dependents.map {
      $0.orphanSuffix.map { "orphans by \($0)" } ?? $0.resource ?? "its records"
    }
    if !dependents.isEmpty { parts.append("deletes \(dependents.joined(separator: " "))") }
    if !resource.children.isEmpty { parts.append("children \(resource.children.joined(separator: " "))") }
    if let names = can.embedding?.names, !names.isEmpty { parts.append("embeds \(names.joined(separator: " "))") }
    return parts.joined(separator: "; ")
  }

  /// The code, the effect, the message, the messages of fields, and the hint.
  static func text(_ error: BackendError) -> String {
    let fields = error.fields.map { "; \($0.field): \($0.message)" }.joined()
    return "\(error.code) \(error.effect): \(error.message)\(fields)" + (error.hint.map { "; hint: \($0)" } ?? "")
  }
}
