import BackendKit
import ServiceDescription

struct TrialFields {
  let all: [TrialField]
  /// The field for the marker, and the text; nil if no field accepts it.
  let marked: (field: TrialField, text: String)?
  /// The documented path to the fields of a new record; nil if there is none.
  let wrap: [String]?
  /// True if it is worth trying to choose the identifier.
  let takesIdentifier: Bool

  init(_ survey: ResourceSurvey, _ marker: Marker) {
    let request = Self.request(survey)
    wrap = request?.wrap
    let identifier = survey.identifier?.field
    let naming = survey.identifier?.fields ?? []
    let keys = survey.rows.map { RecordID(survey.key($0))?.text }
    let records = survey.rows.map { survey.fields(of: $0) }
    let listedValues = { (name: String) in records.compactMap { $0[name] } }
    let whole = records + (survey.identifier.map { [survey.fields(of: $0.record)] } ?? [])
    var names: [String] = []
    var seen = Set(survey.claims[.recordsNotFields] ?? [])
    for source in whole.map(\.names) + [request?.properties.names ?? [], survey.options?.names ?? []] {
      names += source.filter { seen.insert($0).inserted }
    }
    let listed = Set(records.flatMap(\.names))
    all = names.filter { !naming.contains($0) }.map { name in
      let said = request?.properties[name].flatMap { survey.schemas?.folded($0) }
      let option = survey.options?[name]?.object
      let known = survey.claims[field: name]
      let values = whole.compactMap { $0[name] }
      let sample = values.last { $0 != .null && $0 != "" }
      let isClosed = request != nil && request?.properties[name] == nil && request?.isOpen == false
      let texts = listedValues(name).compactMap(\.text)
      var field = TrialField(
        name: name,
        type: known?[.fieldType] ?? said.flatMap { Self.type(of: $0, survey) }
          ?? option.flatMap(FieldsProbe.type(ofOption:)),
        format: said?["format"]?.text
          ?? option.flatMap { ["email", "url"].contains($0["type"]?.text) ? $0["type"]?.text : nil },
        isRequired: request?.required.contains(name) == true || option?["required"]?.bool == true,
        isReadOnly: known?[.fieldReadOnly] ?? said?["readOnly"]?.bool ?? option?["read_only"]?.bool
          ?? (isClosed || survey.dialect.readOnly.contains(name)),
        mayBeEmpty: values.contains(.null) || values.count < whole.count || said?["nullable"]?.bool == true,
        values: known?[.fieldValues] ?? said?["enum"]?.array ?? [],
        maximumLength: known?[.fieldMaximumLength]
          ?? said?["maxLength"]?.integer.flatMap { most in
            values.contains { ($0.text?.count ?? 0) > most } ? nil : most
          },
        minimum: said?["minimum"]?.integer,
        sample: sample,
        isDistinct: listedValues(name).count > 2 && Set(listedValues(name)).count == listedValues(name).count,
        isListed: listed.contains(name), isConstant: known?[.fieldRestrictedValues] == true,
        namesRecords: sample.map(survey.namesRecord) ?? false)
      field.isChoice = texts.count >= Self.enoughTexts && Set(texts).count * 3 <= texts.count && Set(texts).count > 1
      field.isTwin = !keys.isEmpty && texts.map(Optional.some) == keys
      field.ending = Self.ending(texts)
      field.isSecret = known?[.fieldSecret] == true || Self.holds(name, sample, survey.prober.isSecret)
      field.grantsRights = Self.holds(name, sample, Rights.areGranted)
      return field
    }
    let free = all.filter(\.isFree).sorted { $0.rank < $1.rank }
    // Some services call an address, so that it comes last.
    let addresses = all.filter(\.isFreeAddress).sorted { $0.rank < $1.rank }
    marked = (free + addresses).lazy.compactMap { field in field.holding(marker).map { (field, $0) } }.first
    let said = identifier.flatMap { request?.properties[$0] }.flatMap { survey.schemas?.folded($0) }
    takesIdentifier = !survey.dialect.isJSONAPI && !survey.dialect.writesForms && said?["readOnly"]?.bool != true
  }

  subscript(name: String) -> TrialField? { all.first { $0.name == name } }

  /// Returns whether a name, or that of a member at any depth, satisfies a predicate.
  private static func holds(_ name: String, _ value: Value?, _ isOne: (String) -> Bool) -> Bool {
    if isOne(name) { return true }
    let members = value?.object?.members.map { ($0, $1) } ?? value?.array?.map { ("", $0) } ?? []
    return members.contains { holds($0, $1, isOne) }
  }

  private static let enoughTexts = 5

  /// The punctuation at the end of all texts; empty if they end in letters or digits, or differently.
  private static func ending(_ texts: [String]) -> String {
    guard texts.count > 2, let last = texts[0].last, !last.isLetter, !last.isNumber, !last.isWhitespace,
      texts.allSatisfy({ $0.last == last })
    else { return "" }
    return String(last)
  }

  /// Another field than the marked one to write and clear, preferably one that was empty in a record.
  var clearable: TrialField? {
    let others = all.filter {
      $0.isFree && $0.type == "text" && !$0.isRequired && !$0.isConstant && $0.name != marked?.field.name
    }
    return others.first { $0.mayBeEmpty && $0.sample != nil } ?? others.first { $0.sample != nil } ?? others.first
  }

  // MARK: Document

  /// The documented schema of the fields to send.
  private static func request(
    _ survey: ResourceSurvey
  ) -> (properties: Object, required: Set<String>, wrap: [String], isOpen: Bool)? {
    guard let body = survey.bodies?.create else { return nil }
    // A schema without any known field only shows how the fields are wrapped.
    let known = survey.rows.first.map { survey.fields(of: $0).names } ?? []
    guard body.wrap != nil || known.isEmpty || known.contains(where: { body.properties[$0] != nil }) else { return nil }
    return (body.properties, body.required, body.wrap.map { [$0] } ?? [], body.isOpen)
  }

  private static func type(of schema: Object, _ survey: ResourceSurvey) -> String? {
    switch survey.schemas?.type(of: schema) {
    case "string": schema["format"] == "date-time" ? "date" : schema["format"] == "date" ? "day" : "text"
    case "array": "list"
    case let type: type
    }
  }
}
