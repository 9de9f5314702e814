import BackendKit

extension Node {
  /// Merges the node over a base: maps and sections key by key, other values as a whole. Null removes the inherited
  /// value.
  func over(_ base: Node?, _ shape: Shape) -> Node {
    switch shape {
    case .either(let first, let second): return over(base, first.takes(self) ? first : second)
    case .oneOrMore(let element): return over(base, element)
    default: break
    }
    guard let theirs = base?.whole(shape), let below = theirs.members, let ours = members,
      let shapeOfMember = shape.member
    else { return self }
    if case .section(let name) = shape, let key = Section.of(name).decidingKey, let word = self[key]?.value,
      theirs[key].map({ $0.value != word }) ?? false
    {
      return self
    }
    let members = below.map { member in
      guard let own = ours.first(where: { $0.name == member.name }) else { return member }
      let node = shapeOfMember(own.name).map { own.node.over(member.node, $0) } ?? own.node
      return Member(name: own.name, place: own.place, node: node)
    }
    let added = ours.filter { own in !below.contains { $0.name == own.name } }
    return Node(place: place, content: .map(members + added))
  }

  /// The section that a text stands for; other nodes unchanged.
  private func whole(_ shape: Shape) -> Node {
    guard case .section(let name) = shape, let key = Section.of(name).shortKey, value.text != nil else { return self }
    return Node(place: place, content: .map([Member(name: key, place: place, node: self)]))
  }

  func only(_ isKept: (String) -> Bool) -> Node {
    Node(place: place, content: .map((members ?? []).filter { isKept($0.name) }))
  }
}

extension Shape {
  /// The shape of a member by its name; nil if members are not merged.
  fileprivate var member: ((String) -> Shape?)? {
    switch self {
    case .section(let name): { Section.of(name).key($0)?.shape }
    case .map(_, let inner): { _ in inner }
    default: nil
    }
  }
}
