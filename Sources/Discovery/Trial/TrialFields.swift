import BackendKit
import ServiceDescription

struct TrialFields {
  private(set) var all: [TrialField]
  /// The field for the marker, and the text; nil if no field accepts it.
  let marked: (field: TrialField, text: String)?
  /// The documented path to the fields of a new record; nil if there is none.
  let wrap: [String]?
  /// The form of identifiers that clients choose.
  let identifierForm: TextForm
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
    let variable = survey.documented?.item.flatMap { $0.template.split(separator: "/").last }.map {
      DocumentedResource.plain(String($0))
    }
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
        form: Self.form(said, option, known?[.fieldMaximumLength], values.compactMap(\.text)),
        isRequired: request?.required.contains(name) == true || option?["required"]?.bool == true,
        isReadOnly: known?[.fieldReadOnly] ?? said?["readOnly"]?.bool ?? option?["read_only"]?.bool
          ?? (isClosed || survey.dialect.readOnly.contains(name)),
        mayBeEmpty: values.contains(.null) || values.count < whole.count || said?["nullable"]?.bool == true,
        // Fields that only records show are tried like any text.
        values: survey.isUndescribed(name) ? [] : known?[.fieldValues] ?? said?["enum"]?.array ?? [],
        minimum: said?["minimum"]?.integer,
        sample: sample,
        isDistinct: listedValues(name).count > 2 && Set(listedValues(name)).count == listedValues(name).count,
        isListed: listed.contains(name), isConstant: known?[.fieldRestrictedValues] == true,
        namesRecords: sample.map(survey.namesRecord) ?? false)
      field.isChoice = texts.count >= Self.enoughTexts && Set(texts).count * 3 <= texts.count && Set(texts).count > 1
      field.isTwin = !keys.isEmpty && texts.map(Optional.some) == keys
      field.isKey =
        (TrialField.identifies(name) || DocumentedResource.plain(name) == variable || field.isTwin
          || Self.leads(listedValues(name), to: keys))
        && Set(listedValues(name)).count == listedValues(name).count
      field.form.isShaped = field.isKey && !field.isFree
      field.largest = values.compactMap(\.integer).max()
      field.ending = Self.ending(texts)
      field.isSecret = known?[.fieldSecret] == true || Self.holds(name, sample, survey.prober.isSecret)
      field.grantsRights = Self.holds(name, sample, Rights.areGranted)
      return field
    }
    for link in Relationships.links(of: survey) where !link.isList && !names.contains(link.name) {
      var field = TrialField(name: link.name, type: "text", sample: link.sample, namesRecords: true)
      field.grantsRights = Rights.areGranted(by: link.name)
      all.append(field)
    }
    marked = Self.holder(all, marker, besides: [])
    let said = identifier.flatMap { request?.properties[$0] }.flatMap { survey.schemas?.folded($0) }
    identifierForm = Self.form(said, nil, nil, [])
    takesIdentifier = !survey.dialect.isJSONAPI && !survey.dialect.writesForms && said?["readOnly"]?.bool != true
  }

  subscript(name: String) -> TrialField? { all.first { $0.name == name } }

  /// The best field for the marker besides some, and the text; nil if none accepts it. Some services call an address, so
  /// that it comes behind free texts.
  func holder(_ marker: Marker, besides names: Set<String>) -> (field: TrialField, text: String)? {
    Self.holder(all, marker, besides: names)
  }

  private static func holder(
    _ all: [TrialField], _ marker: Marker, besides names: Set<String>
  ) -> (field: TrialField, text: String)? {
    let ranked = all.filter { !names.contains($0.name) }.sorted { $0.rank < $1.rank }
    let fields = ranked.filter(\.isFree) + ranked.filter(\.isFreeAddress) + ranked.filter(\.isNewInEach)
    return fields.lazy.compactMap { field in field.holding(marker).map { (field, $0) } }.first
  }

  /// Limits the texts of a field to those that look like the texts of records.
  mutating func shape(_ name: String) {
    if let place = all.firstIndex(where: { $0.name == name }) { all[place].form.isShaped = true }
  }

  /// Takes what a refusal says of the values of its fields.
  mutating func learn(_ messages: [FieldMessage]) {
    for message in messages {
      guard let place = all.firstIndex(where: { $0.name == message.field }) else { continue }
      let choices = TextForm.choices(in: message.message)
      if choices.isEmpty {
        all[place].form.learn(message.message)
      } else if ["text", nil].contains(all[place].type), all[place].values.isEmpty {
        all[place].values = choices.map { .string($0) }
      }
    }
  }

  /// Returns whether a name, or that of a member at any depth, satisfies a predicate.
  private static func holds(_ name: String, _ value: Value?, _ isOne: (String) -> Bool) -> Bool {
    if isOne(name) { return true }
    let members = value?.object?.members.map { ($0, $1) } ?? value?.array?.map { ("", $0) } ?? []
    return members.contains { holds($0, $1, isOne) }
  }

  private static let enoughTexts = 5

  /// Returns whether the values are the addresses of their own records.
  private static func leads(_ values: [Value], to keys: [String?]) -> Bool {
    !keys.isEmpty && values.count == keys.count
      && zip(values, keys).allSatisfy { value, key in value.text.flatMap { Link.lastPart($0) } == key && key != nil }
  }

  /// The form of texts according to a document and OPTIONS. What records refute does not count.
  private static func form(_ said: Object?, _ option: Object?, _ most: Int?, _ texts: [String]) -> TextForm {
    var form = TextForm()
    form.samples = Array(texts.filter { !$0.isEmpty }.suffix(50))
    form.format =
      said?["format"]?.text
      ?? option.flatMap { ["email", "url"].contains($0["type"]?.text) ? $0["type"]?.text : nil }
    form.maximum =
      most ?? said?["maxLength"]?.integer.flatMap { most in texts.contains { $0.count > most } ? nil : most }
    form.minimum = (said?["minLength"] ?? option?["min_length"])?.integer.flatMap { least in
      texts.contains { $0.count < least } ? nil : least
    }
    if let pattern = said?["pattern"]?.text.flatMap({ TextPattern($0) }),
      texts.allSatisfy({ pattern.isFound(in: $0) != false })
    {
      form.patterns = [pattern]
    }
    return form
  }

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
