import BackendKit

/// A place in the tree of a document's paths: a list, or records that own lists and have none of their own.
struct OutlinePlace {
  /// The resource that the document describes there; nil of records that only own others.
  let resource: DocumentedResource?
  /// The fixed segments of its path behind its owner's variables.
  let segments: [String]
  /// The variables that identify one of its records, at the end of the record's path.
  var variables: [String]
  /// The path of one record, with its variables in braces; nil if there is none.
  var item: String?
  /// The place of the records that own its records; nil at the top.
  var owner: Int?
  /// The name that commands use; below its owner only the last part of it is needed.
  var name = ""
}

/// The lists of a document, each with the records that own it, at any depth, and with a name of its own.
struct OutlinePlaces {
  private(set) var list: [OutlinePlace] = []
  /// The places of records by the shapes of their paths.
  private var items: [String: Int] = [:]
  /// The places of lists by the shapes of theirs.
  private var lists: [String: Int] = [:]

  /// Places below the path of the address. `names` are taken, by the shapes of the lists that have them.
  init(_ resources: [DocumentedResource], below base: String, names: [String: String]) {
    let depth = base.split(separator: "/").count
    func segments(_ path: String) -> [String] { path.split(separator: "/").dropFirst(depth).map(String.init) }
    let ordered = resources.sorted { $0.collection.variables < $1.collection.variables }
    for resource in ordered {
      let path = segments(String(resource.collection.plain))
      let item = resource.item.map { segments(String($0.plain)) }
      let owned = path.lastIndex(where: Self.isVariable).map { Array(path[...$0]) } ?? []
      // The variables of a list whose path ends in one are those of its owner.
      let below = resource.collection.endsInVariable ? item?.dropFirst(path.count) : item?[...]
      let variables = below.map { Array($0.reversed().prefix(while: Self.isVariable).reversed()) } ?? []
      list.append(
        OutlinePlace(
          resource: resource, segments: Array(path.dropFirst(owned.count)), variables: variables.map(Self.plain),
          item: item?.joined(separator: "/")))
      if lists[Self.shape(path)] == nil { lists[Self.shape(path)] = list.count - 1 }
      if let item, items[Self.shape(item)] == nil { items[Self.shape(item)] = list.count - 1 }
    }
    for place in list.indices {
      guard let path = list[place].resource.map({ segments(String($0.collection.plain)) }),
        let last = path.lastIndex(where: Self.isVariable)
      else { continue }
      list[place].owner = owner(Array(path[...last]))
    }
    nameAll(names)
  }

  static func isVariable(_ segment: String) -> Bool { segment.contains("{") }

  /// The name of a variable: `id` of `{id}.json`.
  static func plain(_ segment: String) -> String {
    String(segment.drop { $0 != "{" }.dropFirst().prefix { $0 != "}" })
  }

  /// A path whatever its variables are called.
  static func shape(_ path: [String]) -> String {
    path.map { isVariable($0) ? "{}" : $0.lowercased() }.joined(separator: "/")
  }

  /// The place of the records at a path, added if the document has no list of them.
  private mutating func owner(_ path: [String]) -> Int {
    if let known = items[Self.shape(path)] { return known }
    let own = path.reversed().prefix(while: Self.isVariable).count
    let fixed = path.dropLast(own)
    // A list may have no path for its records, but others below them.
    if let known = lists[Self.shape(Array(fixed))], list[known].item == nil, list[known].resource?.isSole == false {
      (list[known].item, list[known].variables) = (path.joined(separator: "/"), path.suffix(own).map(Self.plain))
      items[Self.shape(path)] = known
      return known
    }
    let above = fixed.lastIndex(where: Self.isVariable).map { Array(path[...$0]) }
    let outer = above.map { owner($0) }
    list.append(
      OutlinePlace(
        resource: nil, segments: Array(fixed.dropFirst(above?.count ?? 0)),
        variables: path.suffix(own).map(Self.plain), item: path.joined(separator: "/"), owner: outer))
    items[Self.shape(path)] = list.count - 1
    return list.count - 1
  }

  // MARK: Names

  /// The depth of a place: of lists of no record 0.
  private func depth(_ place: Int) -> Int {
    var (depth, place) = (0, place)
    while let owner = list[place].owner, depth < 20 { (depth, place) = (depth + 1, owner) }
    return depth
  }

  /// Names each place: by its last segment if no other has that, lists of no record before others; else by more
  /// segments, and those below records with the name of their owner before them.
  private mutating func nameAll(_ names: [String: String]) {
    let order = list.indices.map { (place: $0, depth: depth($0)) }.sorted {
      ($0.depth, list[$0.place].segments.count, $0.place) < ($1.depth, list[$1.place].segments.count, $1.place)
    }
    var taken = Set(names.values.map { $0.lowercased() })
    var shared: [String: Int] = [:]
    for (place, _) in order { shared[short(place, 1).lowercased(), default: 0] += 1 }
    for (place, depth) in order {
      if let path = list[place].resource?.collection.plain, let name = names[String(path)] {
        list[place].name = name
        continue
      }
      let owner = list[place].owner.map { list[$0].name + "/" } ?? ""
      let most = max(list[place].segments.count, 1)
      var choices = (1...most).map { owner + short(place, $0) }
      if depth > 0, shared[short(place, 1).lowercased()] == 1 { choices.insert(short(place, 1), at: 0) }
      let last = choices.last ?? "records"
      let free = choices.first { !taken.contains($0.lowercased()) }
      var (name, number) = (free ?? last, 1)
      while taken.contains(name.lowercased()) {
        number += 1
        name = "\(last)-\(number)"
      }
      taken.insert(name.lowercased())
      list[place].name = name
    }
  }

  /// The last segments of a place's path as a name. If it has none, the name of its list, or else its variable.
  private func short(_ place: Int, _ count: Int) -> String {
    let name = list[place].segments.suffix(count).map { Candidates.bare($0) }.joined(separator: "-")
    if !name.isEmpty { return name }
    let isList = list[place].resource?.collection.endsInVariable == true
    return isList ? list[place].resource?.name ?? "" : list[place].variables.joined(separator: "-")
  }
}
