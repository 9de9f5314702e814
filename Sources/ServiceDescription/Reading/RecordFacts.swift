import BackendKit

struct RecordFacts: Facts {
  let from: SectionNode

  func paths(_ resource: inout Service.Resource) {
    let collection = path(
      Key.pathsCollection, "the path for reading records; `{resource}`, the default, is the resource's name")
    let own: RequestPath? = resource.name.isEmpty ? .base : .written(resource.name)
    let path = collection.flatMap { complete($0, with: resource.name) } ?? own
    set(&resource.path, path)
    if path == nil { mistake("\"\(resource.name)\" cannot be a path", at: "collection", hint: "write one") }
    resource.writePath = self.path("write", "where records are written, if elsewhere").flatMap {
      complete($0, with: resource.name)
    }
    let item = text(
      Key.pathsItem,
      "one record: `below` its collection, `key` as in OData, `self` for the address in the record, or a path with `{id}`, also in parameters: `get?id={id}`; null if single records cannot be read"
    )
    let condition = text(
      "itemFilter", "alternatively, the collection with this condition on the identifier, such as `eq.{value}`",
      formerly: "condition")
    resource.parameters = pairs(
      "parameters", of: "parameter", "parameters to send with every read of a list or record")
    resource.requiredParameters =
      texts("requiredParameters", "parameters that `--param` must give for a list of the resource") ?? []
    resource.hasItems = !isNull(Key.pathsItem) || condition != nil
    resource.readsItems = flag(
      Key.pathsReadable,
      "whether a record can be read at its path (default: true); otherwise a write looks for it in the list", else: true
    )
    if let condition { resource.addressing.item = .filter(value: condition) }
    switch item {
    case nil, "below"?: break
    case "key"?: resource.addressing.item = .key
    case "self"?: resource.addressing.item = .root
    case let template?:
      check(item: template)
      resource.addressing.item = .template(template)
    }
  }

  /// Puts the resource's name into a path; nil if a path cannot contain it.
  private func complete(_ path: RequestPath, with resource: String) -> RequestPath? {
    let segments = path.segments.map { $0.split(separator: "{resource}", omittingEmptySubsequences: false) }
    // Without a name yet, the path ends before it.
    if resource.isEmpty { return try? RequestPath(segments: segments.prefix { $0.count == 1 }.map { String($0[0]) }) }
    return try? RequestPath(segments: segments.map { $0.joined(separator: resource) }).ending(in: path.suffix)
  }

  private func check(item template: String) {
    let halves = template.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let pairs = halves.dropFirst().flatMap { $0.split(separator: "&", omittingEmptySubsequences: false) }
    let names = pairs.map { $0.prefix { $0 != "=" } }
    guard template.utf8.contains(UInt8(ascii: "{")), RequestPath.written(String(halves[0])) != nil,
      !names.contains("")
    else {
      return mistake(
        "\"\(template)\" is not a valid path to one record", at: "item", hint: "below, key, self or a path with {id}")
    }
    for name in names {
      guard let problem = ReservedName.problem(ofParameter: String(name)) else { continue }
      mistake("\(name) cannot be described", at: "item", hint: "\(problem); leave it out here")
    }
  }

  func records(_ resource: inout Service.Resource) {
    let listPaths = members(
      Key.recordsListPath, "where the list is; `$`, the default, is the document; `*` is any member", formerly: "at")
    let recordPath = member(Key.recordsRecordPath, "where the record is in any other response", formerly: "oneAt")
    let format: String? = word(
      "format", [("plain", "the fields are members of the record"), ("jsonapi", "as in JSON:API")],
      "how a record is written", formerly: "form")
    if format == "jsonapi" { resource.shape = .jsonAPI }
    // These override the paths that come with the shape.
    set(&resource.recordsAt, listPaths)
    set(&resource.recordAt, recordPath)
    resource.recordType = text("type", "jsonapi: the type of the records, if it is not the resource's name")
    let layouts: [Word] = [
      ("list", "a list of records"), ("map", "an object with one member per record, named by its identifier"),
      ("table", "a list of rows, each a list of values"),
    ]
    let layout: String? = word(Key.recordsLayout, layouts, "how a list is arranged", formerly: "as")
    let columns = member("columns", "table: where the column names are")
    if layout == "map" { resource.layout = .map }
    if layout == "table" {
      resource.layout = .table(columns: columns ?? [])
      if columns == nil { missing("columns", "where the column names are") }
    }
    resource.valueField = text(
      Key.recordsValueField,
      "the field for the value of an element that is text, a number or a boolean instead of an object; in a list of names, the identifier"
    )
    let fieldsPath = member(
      Key.recordsFieldsPath, "the member of each record that contains its fields", formerly: "fieldsAt")
    let siblings = texts("siblingFields", "members next to `fieldsPath` that are fields, too", formerly: "keep")
    resource.wrapping = fieldsPath.map { Service.Wrapping($0, keeping: siblings ?? []) }
    resource.notFields =
      texts(Key.recordsNotFields, "members of a record that are not fields, such as links to others") ?? []
    resource.okAt = member(
      "successFlag",
      "a member of each response that is true unless there was an error; if a write's response lacks it, the outcome is unknown",
      formerly: "okAt")
    resource.nullIsEmpty = flag(
      Key.recordsNullIsEmpty, "whether null or a missing member in place of the list means an empty list")
    resource.listsOneAsRecord = flag(
      "oneAsRecord", "whether a list of one record may be that record alone, not in a list")
    resource.emptyStatuses = integers(
      "emptyStatuses", 200...499, "statuses of a list without records and without a body")
    resource.refusesOtherKinds = flag(
      "strictTypes", "whether the service refuses a value whose type differs from the description",
      formerly: "refusesOtherKinds")
  }

  /// Reads how values are written; returns their form in conditions.
  func values(_ resource: inout Service.Resource) -> Service.Filters.Values {
    let forms: [Word] = [
      ("iso", "ISO 8601"), ("epoch", "seconds since 1970"), ("epochMilliseconds", "milliseconds since 1970"),
      ("rfc1123", "as in HTTP"),
    ]
    set(&resource.dates, word("dates", forms, "dates in records, changes and conditions"))
    var values = Service.Filters.Values()
    set(&values.quote, text("quote", "in conditions: the quote character around text"))
    values.escape = text(
      "escape", "the escape before a quote, or before another character of `escaped`, within text")
    let escaped = text(
      "escaped",
      "characters besides the quote that must be escaped within text; without `quote` and `escape`, text that contains one of them or is a word such as `null` is not sent"
    )
    set(&values.escaped, escaped)
    set(&values.yes, text("true", "true"))
    set(&values.no, text("false", "false"))
    set(&values.separator, text("separator", "the separator between values in a list"))
    set(&values.wildcards, text("wildcards", "wildcard characters within text"))
    return values
  }

  func notFound(_ resource: inout Service.Resource) {
    resource.missing = Service.Missing(
      statuses: integers("statuses", 200...599, "statuses that mean this"),
      isEmpty: flag("empty", "whether an empty list or object, null or no body means this"))
  }

  func lists(_ resource: inout Service.Resource) {
    set(&resource.unlisted, texts(Key.listsOmit, "fields that a list leaves out, and objects that it has only in part"))
    set(&resource.onlyListed, texts("only", "fields that only a list has, and a single record does not"))
    resource.omitsRecords = flag(
      Key.listsOmitsRecords, "whether there are records that the list does not show, such as closed ones")
  }

  /// Reads the identifier of a record with these other fields.
  func identifier(_ resource: inout Service.Resource, besides fields: [String]) {
    let field = text(Key.identifierField, "the field that has it (default: id); null if there is none")
    let parts = texts(Key.identifierFields, "several fields that make it up") ?? []
    let separator = text("separator", "the separator between them (default: a comma)")
    let member = member(Key.identifierMember, "a member of a member")
    let link = self.member(Key.identifierLink, "an address in the record; its last part is the identifier")
    let own = self.member(
      "selfLink", "an address in the record; its path is the identifier (with `item: self`)", formerly: "self")
    resource.naming = member.map { .member($0) } ?? link.map { .link($0) } ?? own.map { .address($0) } ?? .field
    let forms: [Word] = [
      ("text", "any text"), ("integer", "a whole number"),
      ("none", "the resource is a single record without an identifier"),
    ]
    let form = word(Key.identifierType, forms, "its type (default: text)") ?? IdentifierRule.Form.text
    // A composite identifier has a field of its own, `id`, unless the record has another field of this name.
    let standard = parts.isEmpty || !(parts + fields).contains("id") ? "id" : nil
    var rule = IdentifierRule(field: isNull(Key.identifierField) || form == .none ? nil : field ?? standard, form: form)
    rule.pattern = text(
      Key.identifierPattern, "a regular expression that must match somewhere in each, as in JSON Schema", .pattern)
    set(
      &rule.likely,
      words(
        "likely", plain("type", "pattern"),
        "keys that have not been verified: they never cause an identifier to be refused"))
    rule.isOptional = flag("optional", "whether the resource may be one record without an identifier")
    rule.address = text(
      "fallbackLink",
      "a field with an address whose last part is the identifier, used if the identifier's field is missing",
      formerly: "address")
    rule.mayRepeat = flag(
      "repeats", "whether several records may share one: they are counted before and after a delete")
    resource.ignoresIdentifierCase = flag("ignoresCase", "whether the service ignores case")
    rule.parts = parts
    set(&rule.separator, separator)
    rule.namesRecords = form == .none || rule.field != nil || !parts.isEmpty || resource.naming != .field
    resource.identifier = rule
  }
}
