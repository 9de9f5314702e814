extension Node {
  /// This over what it is based on: keys of sections and of maps one by one, anything else as a whole. A null takes away what
  /// is below.
  func over(_ base: Node?, _ shape: Shape) -> Node {
    guard let base, case .map(let theirs) = base.content, case .map(let ours) = content else { return self }
    let section: Section?
    var shapeOfMember: (String) -> Shape? = { _ in nil }
    switch shape {
    case .section(let name):
      let found = Section.of(name)
      section = found
      shapeOfMember = { found.key($0)?.shape }
    case .map(_, let inner):
      section = nil
      shapeOfMember = { _ in inner }
    case .either(let first, let second): return over(base, first.takes(self) ? first : second)
    default: return self
    }
    if let key = section?.decidingKey, let word = self[key]?.value, base[key].map({ $0.value != word }) ?? false {
      return self
    }
    var members: [Member] = []
    for member in theirs {
      guard let own = ours.first(where: { $0.name == member.name }) else {
        members.append(member)
        continue
      }
      members.append(
        Member(
          name: own.name, place: own.place,
          node: shapeOfMember(own.name).map { own.node.over(member.node, $0) } ?? own.node))
    }
    members += ours.filter { own in !theirs.contains { $0.name == own.name } }
    return Node(place: place, content: .map(members))
  }

  /// The members with some of the keys.
  func only(_ names: [String]) -> Node {
    Node(place: place, content: .map((members ?? []).filter { names.contains($0.name) }))
  }
}
