import BackendKit
import ServiceDescription

/// The pages of a list, as its document describes them.
struct OutlinePages {
  private let resource: DocumentedResource?
  private let list: (path: [String], schema: Object)?
  private let schemas: SchemaReader
  private let models: [ResourceSurvey]

  init(
    _ resource: DocumentedResource?, _ list: (path: [String], schema: Object)?, _ schemas: SchemaReader,
    _ models: [ResourceSurvey]
  ) {
    (self.resource, self.list, self.schemas, self.models) = (resource, list, schemas, models)
  }

  /// The sections `page`, `size`, `end` and `total`, as far as the document has them: those of a list that was read, if
  /// it has the same parameters and its response the same shape.
  var sections: [(String, Object)] {
    guard let resource else { return [] }
    if let model = models.first(where: isAlike) {
      let facts = ResourceFacts(model, base: model.base).sections
      return ["page", "size", "end", "total"].compactMap { name in
        guard var section = facts[name]?.object else { return nil }
        section["source"] = nil
        return (name, section)
      }
    }
    var sections: [(String, Object)] = []
    let sizes = resource.parameters(named: PageWords.sizes)
    let page = page(besides: sizes)
    if let page { sections.append(("page", page.section)) }
    let size = resource.sizes.first
    let places = resource.parameters(named: PageWords.places + PageWords.otherTokens)
    // A document without a word of pages says that a list comes whole; each response is looked at for signs of more.
    if page == nil, size == nil, places.isEmpty { sections.append(("page", Object([("style", "none")]))) }
    if page != nil, let size, size != page?.section[.pageParameter] {
      var section = Object()
      section[.sizeParameter] = size
      if let least = resource.schema(of: size)?["minimum"]?.integer, least > 1 { section[.sizeMinimum] = least }
      if let most = resource.schema(of: size)?["maximum"]?.integer, most > 0 { section[.sizeMaximum] = most }
      sections.append(("size", section))
    }
    if page != nil, let more = member(named: ["hasmore", "has_more"]) {
      sections.append(("end", Object([("hasMore", .string(MemberPath.text(more)))])))
    }
    if let total = member(named: Totals.names) {
      sections.append(("total", Object([("member", .string(MemberPath.text(total)))])))
    }
    return sections
  }

  /// Returns whether a list that was read has the parameter of its pages in common with this one.
  private func isAlike(_ model: ResourceSurvey) -> Bool {
    guard let style = model.claims[.pageStyle], style != "none", model.claims.isProved(.pageStyle), let resource else {
      return false
    }
    let names = [model.claims[.pageParameter], model.claims[.sizeParameter]].compactMap(\.self)
    let hasSame = !names.isEmpty && names.allSatisfy { resource.parameters.contains($0) }
    let isAtRoot = model.claims[.recordsListPath].map { $0 == "$" } ?? true
    return hasSame && isAtRoot == list?.path.isEmpty
  }

  private static let tokens = PageWords.tokens + PageWords.otherTokens

  private func page(besides sizes: [String]) -> (section: Object, Void)? {
    guard let resource else { return nil }
    var section = Object()
    let next = next
    func first(_ names: [String]) -> String? {
      resource.parameters(named: names).first { !sizes.contains($0) || names.contains($0) }
    }
    if let name = first(PageWords.numbers) {
      section = Object([("style", "number"), ("parameter", .string(name))])
      if let least = resource.schema(of: name)?["minimum"]?.integer ?? resource.schema(of: name)?["default"]?.integer,
        least == 0
      {
        section[.pageFirst] = 0
      }
    } else if let next, next.isToken, let name = first(next.names + Self.tokens) {
      section = Object([("style", "cursor"), ("parameter", .string(name)), ("next", .object(next.location))])
    } else if let name = first(PageWords.offsets.map(\.0)) {
      section = Object([("style", "offset"), ("parameter", .string(name))])
    } else if let name = first(PageWords.after) {
      section = Object([("style", "after"), ("parameter", .string(name))])
    } else if let next, !next.isToken {
      section = Object([("style", "link"), ("next", .object(next.location))])
    } else {
      return nil
    }
    return (section, ())
  }

  /// The first member of the response beside the records that has one of these names.
  private func member(named names: some Collection<String>) -> [String]? {
    guard let list, !list.path.isEmpty else { return nil }
    for name in names {
      if let found = siblings.first(where: { Totals.plain($0.path.last ?? "") == Totals.plain(name) }) {
        return found.path
      }
    }
    return nil
  }

  /// The place of the next page in a response: of its address, or of a token for a parameter, likely with one of these
  /// names.
  private var next: (location: Object, isToken: Bool, names: [String])? {
    guard let list, let resource else { return nil }
    var found: [(location: Object, isToken: Bool, names: [String])] = []
    for (path, schema) in list.path.isEmpty ? [] : siblings {
      guard let last = path.last.map(ListShape.plainName),
        NextPage.members.contains(last) || NextPage.isToken(last) || NextPage.isInside(path)
      else { continue }
      let isAddress =
        ["uri", "url", "uri-reference"].contains(schema["format"]?.text ?? "") || last.contains(text: "url")
        || last.contains(text: "link") || last == "next" || last == "href" || last.contains(text: "uri")
      found.append((Object([("member", .string(MemberPath.text(path)))]), !isAddress, path.suffix(1)))
    }
    let named = found.first { $0.names.allSatisfy(resource.parameters.contains) }
    // A token that no parameter takes leads nowhere if there is an address beside it.
    let usable = found.first { !$0.isToken || !resource.parameters(named: Self.tokens).isEmpty }
    if let next = named ?? usable ?? found.first { return next }
    let headers = resource.collection.operations["GET"]?.headers ?? []
    if let name = headers.first(where: NextPage.isHeader) { return (Object([("header", .string(name))]), true, []) }
    let hasLink = headers.contains { $0.lowercased() == "link" }
    return hasLink ? (Object([("relation", "next")]), false, []) : nil
  }

  /// The members around the records that are no lists, with their schemas.
  private var siblings: [(path: [String], schema: Object)] {
    var found: [(path: [String], schema: Object)] = []
    func look(_ value: Value?, _ path: [String]) {
      guard path != list?.path, path.count < 4, let schema = schemas.folded(value) else { return }
      guard let properties = schema["properties"]?.object else {
        if schemas.type(of: schema) != "array", !path.isEmpty { found.append((path, schema)) }
        return
      }
      for (name, member) in properties.members.prefix(40) { look(member, path + [name]) }
    }
    look(resource?.collection.operations["GET"]?.response, [])
    return found
  }
}
