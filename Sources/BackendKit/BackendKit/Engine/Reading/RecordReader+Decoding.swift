extension RecordReader {
  /// The record in the document of a response other than a list. A `bare` one will be sent back, so its fields are
  /// unchanged.
  func decode(_ document: Value, _ answer: HTTPResponse, isBare: Bool = false) throws(BackendError) -> Record {
    guard var value = document.at(any: resource.recordAt) else {
      throw .badResponse("the response has no \(resource.recordAt.joined(separator: "."))")
    }
    // If lists are tables, a single record is a table with one row.
    if case .table = resource.layout, value.array != nil,
      let rows = resource.layout.records(in: value, document, resource), rows.count <= 1
    {
      guard let row = rows.first else { throw .gone }
      value = row
    }
    // A record that is found by query parameters may come as a list.
    if resource.addressing.item.isQuery, let found = value.array {
      guard found.count <= 1 else {
        throw .badResponse("the server has \(found.count) records with this identifier")
      }
      guard let record = found.first else { throw .gone }
      value = record
    }
    return try record(value, inList: false, answer, isBare: isBare)
  }

  /// The record in a JSON value, alone or in a list; `made` is the result of the hooks so far.
  func record(
    _ value: Value, inList: Bool, _ answer: HTTPResponse? = nil, isBare: Bool = false,
    made: Result<Record, BackendError>? = nil
  ) throws(BackendError) -> Record {
    if let decode = service.hooks.decode {
      var record: Record
      switch made {
      case .success(let known): record = known
      case .failure(let error): throw error
      case nil: record = try decode(value, resource, inList)
      }
      record.fields = resource.read(record.fields)
      if let revision = resource.revision { record.revision = revision.read(record, answer) }
      engine.see(record, resource)
      return record
    }
    let value = resource.filled(value)
    let unwrapped = resource.wrapping.map { $0.unwrapped(value) } ?? value
    guard var fields = unwrapped.flatMap({ resource.shape.fields(of: $0, resource) }) else {
      throw .badResponse("the server has \(value.kindWithArticle) instead of a record")
    }
    let id = resource.identify(value, fields)
    let isMade = resource.naming != .field || !resource.identifier.parts.isEmpty
    if !isBare, isMade, let name = resource.identifier.field, let id, fields[name] == nil {
      fields = Object([(name, resource.value(id.text, of: name))] + Array(fields.members))
    }
    var record = Record(id: id, fields: resource.read(fields))
    for field in resource.fields {
      guard let file = field.file, let value = record.fields[field.name] else { continue }
      let shown = file.withoutContent(value)
      // Assigning would unpack a record that is still text.
      if shown != value { record.fields[field.name] = shown }
    }
    if let revision = resource.revision { record.revision = revision.read(record, answer) }
    engine.see(record, resource)
    for name in resource.notFields { record.fields[name] = nil }
    return record
  }
}

extension HTTPResponse {
  /// A response without a body.
  init(status: Int) { self.init(status: status, headers: [], body: HTTPBody(whole: [])) }
}

extension BackendError {
  /// No such record; the caller adds its name.
  static var gone: BackendError { BackendError(.notFound, "not found", effect: .rejected) }
}

extension Service.Layout {
  /// The records at a place as a list of objects; nil if their layout differs.
  func records(in value: Value, _ document: Value, _ resource: Service.Resource) -> [Value]? {
    switch self {
    case .list: return value.array ?? (resource.listsOneAsRecord && value.object != nil ? [value] : nil)
    case .map:
      return value.object?.members.map { name, value in
        guard let fields = resource.filled(value).object, let field = resource.identifier.field, fields[field] == nil
        else { return value }
        return .object(Object([(field, resource.value(name, of: field))] + Array(fields.members)))
      }
    case .table(let columns):
      let names = document.at(any: columns)?.array?.compactMap { $0.text ?? $0.object?["name"]?.text } ?? []
      // A row of another length does not belong to the table, and is reported as such.
      return value.array?.map { row in
        guard let values = row.array, values.count == names.count else { return row }
        return .object(Object(zip(names, values)))
      }
    }
  }
}

extension Service.Resource {
  /// The fields of a record in the console's form: under the names by which they are sent, with dates in ISO 8601 and
  /// numbers as numbers.
  func read(_ fields: Object) -> Object {
    var fields = fields
    for (name, place) in shownAt {
      // The place wins over a member with the field's own name, unless it has no value outside of that.
      guard let shown = Value.object(fields).shown(at: place[...]),
        shown != .null || fields[name] == nil || place.first == name
      else { continue }
      fields[name] = shown
    }
    if dates != .iso { fields = dates.read(fields, self) }
    return convertingNumbers(fields) { $0.text.flatMap { Number($0) }.map { .number($0) } }
  }

  /// The fields in the service's form.
  func written(_ fields: Object) -> Object {
    convertingNumbers(dates == .iso ? fields : dates.written(fields, self)) { value in
      if case .number(let number) = value { .string(number.text) } else { nil }
    }
  }

  /// Returns whether records show a field in another place than under its name.
  func isShownElsewhere(_ field: String) -> Bool { shownAt.contains { $0.field == field } }

  private func convertingNumbers(_ fields: Object, _ convert: (Value) -> Value?) -> Object {
    guard !textNumbers.isEmpty else { return fields }
    var fields = fields
    for name in textNumbers { if let value = fields[name].flatMap(convert) { fields[name] = value } }
    return fields
  }

  /// Returns whether the place of the records is missing or null.
  func hasNoRecords(_ document: Value) -> Bool {
    (document.object != nil || document == .null)
      && recordsAt.allSatisfy { document.at(any: $0) ?? .null == .null }
  }

  func identify(_ value: Value, _ fields: Object) -> RecordID? {
    switch naming {
    case .field: return identifier.identifier(in: fields)
    case .member(let path): return RecordID(value.at(path))
    case .link(let path): return value.at(path)?.text.flatMap { Link.lastPart($0) }.flatMap { RecordID(.string($0)) }
    case .address(let path):
      return value.at(path)?.text.flatMap { Link.path($0, below: self.path.segments) }.flatMap { RecordID(.string($0)) }
    }
  }

  /// The values of the identifying fields by name; nil if the identifier has another number of parts.
  func parts(of id: RecordID) -> [(field: String, text: String)]? {
    identifier.parts.isEmpty ? [(identifier.field ?? "id", id.text)] : identifier.values(of: id)
  }
}

extension Value {
  /// The value at a place, in which `*` collects a list from all elements; null if a null or an empty object is on the
  /// way.
  fileprivate func shown(at place: ArraySlice<String>) -> Value? {
    guard let name = place.first, self != .null else { return self }
    let rest = place.dropFirst()
    guard name == "*" else {
      let member = member(name)
      return member?.object?.isEmpty == true && !rest.isEmpty ? .null : member?.shown(at: rest)
    }
    return array.map { .array($0.compactMap { $0.shown(at: rest) }) }
  }

  /// True for hypermedia links that services add to a record: objects with `href`, in a list or by relation.
  var isLinks: Bool {
    let entries = array ?? object?.members.map { $1 } ?? []
    return !entries.isEmpty
      && entries.allSatisfy { $0.object?["href"]?.text != nil || $0.array?.isEmpty == false && $0.isLinks }
  }
}
