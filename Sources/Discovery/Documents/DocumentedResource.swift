import BackendClient
import BackendKit

struct DocumentedResource {
  let name: String
  /// The path of its collection from the origin's root, with variables in braces.
  let collection: ServiceDocument.Path
  let item: ServiceDocument.Path?
  /// POSTs below a record.
  let actions: [(name: String, path: ServiceDocument.Path)]

  /// True if it is one record without an identifier.
  var isSole = false

  /// The operation that creates a record: a POST to the list, or else a POST or PUT to a record.
  var creation: ServiceDocument.Operation? {
    collection.operations["POST"] ?? item?.operations["POST"] ?? item?.operations["PUT"]
  }

  /// The path at which one record is read and changed; nil if there is none.
  var one: ServiceDocument.Path? { isSole ? collection : item }

  /// The operation that changes a record, and its method; nil if there is none. A POST may create the record, unless the
  /// list takes new ones.
  var change: (method: String, operation: ServiceDocument.Operation)? {
    let isCreated = collection.operations["POST"] != nil || collection.operations["GET"] == nil
    return (["PATCH", "PUT"] + (isCreated && !isSole ? ["POST"] : [])).lazy.compactMap { method in
      one?.operations[method].map { (method, $0) }
    }.first
  }

  /// The parameters of its list, those within an object parameter first.
  var parameters: [String] { listParameters.map(\.name) }

  private var listParameters: [(name: String, schema: Object)] {
    let get = collection.operations["GET"]
    return (get?.holder?.properties.members.map { ($0, $1.object ?? Object()) } ?? [])
      + (get?.parameters.map { ($0.name, $0.schema) } ?? [])
  }

  /// The parameters without which its list is refused, each with the value to send: the default, or the first of those
  /// it may have; nil if the document names none.
  var requiredParameters: [(name: String, value: String?)] {
    let parameters = collection.operations["GET"]?.parameters ?? []
    return parameters.filter(\.isRequired).map { parameter in
      let schema = parameter.schema
      let value = schema["default"] ?? schema["enum"]?.array?.first ?? schema["items"]?.object?["enum"]?.array?.first
      return (parameter.name, value.flatMap { RecordID($0)?.text ?? $0.bool.map { "\($0)" } })
    }
  }

  /// The list's parameters with one of these names, regardless of case and punctuation: `__page_size` for `pageSize`.
  func parameters(named names: [String]) -> [String] {
    let plain = names.map(Self.plain)
    return names.filter(parameters.contains)
      + parameters.filter { !names.contains($0) && plain.contains(Self.plain($0)) }
  }

  /// The parameters of its list whose names contain one of these words and none of the others, unless they have another
  /// type or are limited to certain values.
  func parameters(with words: [String], without others: [String] = [], type: String) -> [String] {
    return listParameters.filter { name, schema in
      let plain = Self.plain(name)
      let said = schema["type"]?.text
      return words.contains { plain.contains(text: $0) } && !others.contains { plain.contains(text: $0) }
        && (said == nil || said == type || said == "string" || said == "number") && schema["enum"] == nil
    }.map(\.name)
  }

  /// The parameters that may be for the size of a page.
  var sizes: [String] {
    let usual = parameters(named: PageWords.sizes)
    return usual
      + parameters(with: Self.sizeWords, without: PageWords.placeParts, type: "integer").filter {
        !usual.contains($0)
      }
  }

  private static let sizeWords = [
    "limit", "size", "per", "count", "max", "rows", "results", "batch", "take", "top", "first", "num", "length",
    "items",
  ]

  /// The schema of a parameter of its list.
  func schema(of parameter: String) -> Object? { listParameters.first { $0.name == parameter }?.schema }

  /// A name in lowercase, without punctuation.
  static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Returns whether a path is that of the collection, whose variables each stand for one segment.
  func matches(_ path: String) -> Bool {
    let (wanted, parts) = (collection.plain.split(separator: "/"), path.split(separator: "/"))
    return wanted.count == parts.count && zip(wanted, parts).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
  }

  /// The resource with the path that its list has below certain records.
  func filled(at path: String) -> DocumentedResource {
    guard collection.variables > 0 else { return self }
    let shape = ServiceDocument.Path.shape(collection.plain)
    let item = item.flatMap { item -> ServiceDocument.Path? in
      guard ServiceDocument.Path.shape(item.plain).hasPrefix(shape + "/") else { return nil }
      let rest = item.template.split(separator: "/", omittingEmptySubsequences: false)
        .dropFirst(shape.split(separator: "/").count + 1)
      return ServiceDocument.Path(
        template: ([Candidates.plain(path)] + rest.map(String.init)).joined(separator: "/"), operations: item.operations
      )
    }
    return DocumentedResource(
      name: name, collection: ServiceDocument.Path(template: path, operations: collection.operations), item: item,
      actions: actions)
  }

  /// Returns whether a list among the members of a response is that of the resource: a single record may have lists, too.
  private func isList(at path: [String]) -> Bool {
    guard let last = path.last else { return true }
    let (member, own) = (Self.plain(last), Self.plain(name))
    let one = own.hasSuffix("ies") ? own.dropLast(3) : own.hasSuffix("s") ? own.dropLast() : own[...]
    return ListShape.names.contains(last) || ListShape.names.contains(member) || member.contains(text: String(one))
      || !parameters(named: PageWords.places + PageWords.sizes).isEmpty
  }

  /// The resources of a document: paths whose GET returns a list, or with single records below them.
  static func all(in document: ServiceDocument) -> [DocumentedResource] {
    func first(_ paths: [ServiceDocument.Path], _ key: (ServiceDocument.Path) -> String) -> [String: ServiceDocument
      .Path]
    { Dictionary(paths.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first }) }
    let records = document.paths.filter { $0.endsInVariable }
    let below = first(records) { ServiceDocument.Path.shape($0.folder(above: 1)) }
    let beside = first(records.filter { $0.operations["GET"] != nil }) { $0.folder(above: 1).lowercased() }
    let keyed = first(document.paths.filter { $0.plain.hasSuffix(")") }) { path in
      String(path.plain[..<(path.plain.lastIndex(of: "(") ?? path.plain.endIndex)])
    }
    let posts = Dictionary(
      grouping: document.paths.filter { $0.operations["POST"] != nil && $0.operations["GET"] == nil }, by: \.record)
    var resources: [DocumentedResource] = []
    for path in document.paths where !path.endsInVariable {
      guard let get = path.operations["GET"], let last = path.plain.split(separator: "/").last else { continue }
      let name = Candidates.bare(last)
      let plain = String(path.plain)
      let whole = Candidates.bare(plain)
      let item =
        below[ServiceDocument.Path.shape(plain)] ?? below[ServiceDocument.Path.shape(whole)] ?? keyed[plain]
        ?? path.singulars.lazy.compactMap { beside[$0] }.first { $0.variables == path.variables + 1 }
      let found = document.schemas.records(in: get.response, named: name)
      let list = DocumentedResource(name: name, collection: path, item: item, actions: [])
      guard
        item?.operations["GET"] != nil || found.map({ list.isList(at: $0.path) }) == true
          || document.schemas.texts(in: get.response, named: name) != nil
      else { continue }
      let actions = (item.flatMap { posts[$0.plain] } ?? []).compactMap {
        other -> (name: String, path: ServiceDocument.Path)? in
        guard let item, other.plain.count > item.plain.count else { return nil }
        return (String(other.plain.dropFirst(item.plain.count + 1)), other)
      }
      resources.append(DocumentedResource(name: name, collection: path, item: item, actions: actions))
    }
    return resources
  }
}

extension DocumentedResource {
  /// The other resources of a document: lists at a path that ends in a variable, single records without identifiers, and
  /// records that no list shows, or one whose records have several variables.
  static func others(in document: ServiceDocument, besides lists: [DocumentedResource]) -> [DocumentedResource] {
    let paths = Dictionary(
      document.paths.map { (ServiceDocument.Path.shape($0.plain), $0) }, uniquingKeysWith: { first, _ in first })
    func templates(_ lists: [DocumentedResource]) -> Set<String> {
      Set(lists.flatMap { [$0.collection.template, $0.item?.template].compactMap(\.self) })
    }
    let known = templates(lists)
    let ended = document.paths.compactMap { path in
      known.contains(path.template)
        ? nil
        : DocumentedResource(
          endingInVariable: path, item: paths[ServiceDocument.Path.shape(path.plain) + "/{}"], document.schemas)
    }
    let listed = known.union(templates(ended))
    return ended
      + document.paths.compactMap { path -> DocumentedResource? in
        guard !listed.contains(path.template),
          let last = path.plain.split(separator: "/").last(where: { !$0.contains("{") })
        else { return nil }
        guard path.endsInVariable else {
          let isRecord =
            path.operations["GET"].flatMap { document.schemas.folded($0.response) }.map {
              document.schemas.type(of: $0) == "object" && !document.schemas.isIndex($0)
            } ?? false
          guard isRecord else { return nil }
          return DocumentedResource(name: String(last), collection: path, item: nil, actions: [], isSole: true)
        }
        guard !path.operations.isEmpty else { return nil }
        let variables = path.plain.split(separator: "/").reversed().prefix { $0.contains("{") }
        let folder = path.folder(above: variables.count)
        let above = paths[ServiceDocument.Path.shape(folder)]
        // A list above them shows them only if it shows what names them.
        let shown = document.schemas.records(in: above?.operations["GET"]?.response)?.schema["properties"]?.object
        let isShown = variables.allSatisfy { shown?[OutlinePlaces.plain(String($0))] != nil }
        let collection =
          above.flatMap { isShown || $0.operations["GET"] == nil ? $0 : nil }
          ?? ServiceDocument.Path(template: String(folder), operations: [:])
        return DocumentedResource(name: String(last), collection: collection, item: path, actions: [])
      }
  }

  /// The list of all records of a kind that the last variable of its path names: an array, or one with pages. Nil if the
  /// path is that of one record.
  private init?(endingInVariable path: ServiceDocument.Path, item: ServiceDocument.Path?, _ schemas: SchemaReader) {
    guard path.endsInVariable, let found = schemas.records(in: path.operations["GET"]?.response) else { return nil }
    self.init(name: "records", collection: path, item: item, actions: [])
    guard found.path.isEmpty || !parameters(named: PageWords.places + PageWords.sizes).isEmpty else { return nil }
  }
}

extension ServiceDocument.Path {
  fileprivate func folder(above count: Int) -> Substring {
    (0..<count).reduce(plain) { path, _ in path.lastIndex(of: "/").map { path[..<$0] } ?? "" }
  }

  /// The path up to its last variable.
  fileprivate var record: Substring {
    guard let close = plain.lastIndex(of: "}") else { return "" }
    return plain[..<(plain[close...].firstIndex(of: "/") ?? plain.endIndex)]
  }

  /// The path of a list in lowercase with a singular name, below which its records may be: `/silence` for `/silences`.
  fileprivate var singulars: [String] {
    let plain = plain.lowercased()
    guard plain.hasSuffix("s") else { return [] }
    return [String(plain.dropLast())] + (plain.hasSuffix("es") ? [String(plain.dropLast(2))] : [])
      + (plain.hasSuffix("ies") ? [plain.dropLast(3) + "y"] : [])
  }
}

extension ServiceDocument {
  /// Returns whether the document has anything below a path.
  func hasPaths(below path: String) -> Bool {
    paths.contains { (Candidates.plain($0.template) + "/").hasPrefix(path + "/") }
  }

  /// Returns whether the document has resources below a path but none at it, so that its response is not a list.
  func describes(othersThan path: String) -> Bool {
    !lists.contains { $0.matches(path) }
      && lists.contains { Candidates.plain($0.collection.template).hasPrefix(path + "/") }
  }
}
