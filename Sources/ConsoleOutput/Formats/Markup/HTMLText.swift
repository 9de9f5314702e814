import CGumbo

/// Converts an HTML document to plain text.
package enum HTMLText {
  /// The maximum number of tags and memory of a document; beyond that, or if a tag has thousands of attributes, it is
  /// shown as source.
  private static let limits = (tags: 20_000, memory: 64 << 20)

  /// The escaped text in lines: blocks on lines of their own, links marked `[1]` and listed at the end.
  static func lines(_ html: String, _ manner: HTMLLines.Manner = HTMLLines.Manner()) -> [String] {
    var links = 0
    return lines(html, manner, links: &links)
  }

  /// The same in lines of at most a width in columns.
  package static func lines(_ html: String, width: Int) -> [String] {
    lines(html, HTMLLines.Manner(width: width)).flatMap { Wrapping.hangingLines(of: $0, width: width) }
  }

  /// The text without the list of links; their number is added to `count`.
  static func lines(_ html: String, _ manner: HTMLLines.Manner, links count: inout Int) -> [String] {
    guard let content = content(html, manner) else { return Escaping.lines(html) }
    var lines = content.lines.map { TextStyle.visible($0) }
    for (index, target) in content.links.enumerated() {
      let shown = Escaping.text(target)
      let link = manner.marksStyles ? TextStyle.link.begin + shown + TextStyle.link.end : shown
      lines.append("[\(index + manner.firstLink)] \(link)")
    }
    count += content.links.count
    return lines
  }

  /// The targets of the links, in the order of their numbers, unescaped.
  package static func links(_ html: String) -> [String] { content(html, HTMLLines.Manner())?.links ?? [] }

  /// The addresses that the page would load from elsewhere, in order, each behind its alternative text: images, frames
  /// and the like.
  package static func loaded(_ html: String) -> [String] {
    (content(html, HTMLLines.Manner())?.loaded ?? []).filter { !isWithin($0.address) }.map {
      named($0.address, $0.name)
    }
  }

  /// An address behind its alternative text. Of data within the page, only the type is shown.
  fileprivate static func named(_ address: String?, _ name: String?) -> String {
    let shown = address.map { isWithin($0) ? String($0.prefix { !";,".contains($0) }) : $0 }
    guard let name else { return shown ?? "" }
    return address.map { isWithin($0) ? name : "\(name) (\($0))" } ?? name
  }

  private static func isWithin(_ address: String) -> Bool { address.lowercased().hasPrefix("data:") }

  /// The escaped text on one line, without the targets of links.
  package static func oneLine(_ html: String) -> String {
    guard let content = content(html, HTMLLines.Manner(marksLinks: false)) else { return Escaping.text(html) }
    return Escaping.text(content.lines.filter { !$0.isEmpty }.joined(separator: " "))
  }

  // Nil if there is no markup, or too much of it.
  private static func content(_ html: String, _ manner: HTMLLines.Manner) -> HTMLLines? {
    let tags = html.utf8.count { $0 == UInt8(ascii: "<") }
    guard tags > 0 || html.utf8.contains(UInt8(ascii: "&")), tags <= limits.tags else { return nil }
    var html = html
    return html.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        guard let document = switchboard_html_parse(text.baseAddress, text.count, limits.memory) else { return nil }
        defer { switchboard_html_free(document) }
        // Text without markup was written as plain text: its line ends are meant.
        var walk = HTMLWalk(lines: HTMLLines(manner, keepsBlanks: tags == 0))
        return walk.lines(of: switchboard_html_root(document))
      }
    }
  }
}

/// Traverses a parsed document without recursion, as its depth is chosen by the server.
private struct HTMLWalk {
  private struct Frame {
    var node: UnsafePointer<GumboNode>
    var next: UInt32 = 0
  }

  var lines: HTMLLines
  private var stack: [Frame] = []

  init(lines: HTMLLines) { self.lines = lines }

  mutating func lines(of root: UnsafePointer<GumboNode>?) -> HTMLLines {
    if let root { enter(root) }
    while var frame = stack.popLast() {
      let children = frame.node.pointee.v.element.children
      if frame.next < children.length, let child = children.data?[Int(frame.next)] {
        frame.next += 1
        stack.append(frame)
        enter(UnsafePointer(child.assumingMemoryBound(to: GumboNode.self)))
      } else {
        leave(frame.node.pointee.v.element)
      }
    }
    lines.finish()
    return lines
  }

  private mutating func enter(_ node: UnsafePointer<GumboNode>) {
    switch node.pointee.type {
    case GUMBO_NODE_TEXT, GUMBO_NODE_CDATA, GUMBO_NODE_WHITESPACE:
      if let text = node.pointee.v.text.text { lines.add(String(cString: text)) }
    case GUMBO_NODE_ELEMENT where open(node.pointee.v.element): stack.append(Frame(node: node))
    default: break
    }
  }

  /// Begins an element; returns whether its content is shown.
  private mutating func open(_ element: GumboElement) -> Bool {
    switch element.tag {
    case GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_HEAD, GUMBO_TAG_TEMPLATE, GUMBO_TAG_NOSCRIPT: return false
    case GUMBO_TAG_BR: lines.breakLine()
    case GUMBO_TAG_HR:
      lines.beginBlock()
      lines.put("---")
      lines.beginBlock()
    case GUMBO_TAG_IMG: put("image", named: "alt", element)
    case GUMBO_TAG_IFRAME, GUMBO_TAG_EMBED, GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO:
      put(String(cString: switchboard_html_tag_name(element.tag)), named: "title", element)
      return false
    case GUMBO_TAG_A:
      lines.begin(.link)
      if let target = attribute("href", element) { lines.markLink(to: target) }
    case GUMBO_TAG_UL: lines.beginList(isNumbered: false)
    case GUMBO_TAG_OL:
      lines.beginList(isNumbered: true, first: attribute("start", element).flatMap { Int16($0) }.map(Int.init) ?? 1)
    case GUMBO_TAG_LI: lines.beginItem()
    case GUMBO_TAG_PRE, GUMBO_TAG_TEXTAREA:
      lines.beginBlock(apart: true)
      lines.beginPreformatted()
    case GUMBO_TAG_TABLE: lines.beginTable()
    case GUMBO_TAG_TR: lines.beginRow()
    case GUMBO_TAG_TD, GUMBO_TAG_TH:
      lines.beginCell()
      if element.tag == GUMBO_TAG_TH { lines.begin(.strong) }
    default:
      if let style = HTMLWalk.style(element.tag) { lines.begin(style) }
      if let isApart = HTMLWalk.block(element.tag) { lines.beginBlock(apart: isApart) }
    }
    return true
  }

  /// Shows what is loaded from elsewhere by its alternative text and its address; where links are not shown, by the one
  /// or the other.
  private mutating func put(_ kind: String, named attribute: String, _ element: GumboElement) {
    let (name, source) = (self.attribute(attribute, element), self.attribute("src", element))
    if let source { lines.loaded.append((source, name)) }
    let isBrief = name != nil && !lines.manner.marksLinks
    lines.put("[\(kind): \(HTMLText.named(isBrief ? nil : source, name))]")
  }

  private mutating func leave(_ element: GumboElement) {
    switch element.tag {
    case GUMBO_TAG_A: lines.end(.link)
    case GUMBO_TAG_TABLE: lines.endTable()
    case GUMBO_TAG_TR: break
    case GUMBO_TAG_TD, GUMBO_TAG_TH:
      if element.tag == GUMBO_TAG_TH { lines.end(.strong) }
      lines.endCell()
    case GUMBO_TAG_UL, GUMBO_TAG_OL: lines.endList()
    case GUMBO_TAG_LI: lines.beginBlock()
    case GUMBO_TAG_PRE, GUMBO_TAG_TEXTAREA:
      lines.endPreformatted()
      lines.beginBlock(apart: true)
    default:
      if let style = HTMLWalk.style(element.tag) { lines.end(style) }
      if let isApart = HTMLWalk.block(element.tag) { lines.beginBlock(apart: isApart) }
    }
  }

  private static func style(_ tag: GumboTag) -> TextStyle? {
    switch tag {
    case GUMBO_TAG_B, GUMBO_TAG_STRONG, GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5,
      GUMBO_TAG_H6:
      .strong
    case GUMBO_TAG_I, GUMBO_TAG_EM, GUMBO_TAG_CITE, GUMBO_TAG_DFN: .emphasis
    case GUMBO_TAG_CODE, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_TT: .code
    default: nil
    }
  }

  /// Returns whether a block is set off by blank lines; nil if the tag is not a block.
  private static func block(_ tag: GumboTag) -> Bool? {
    switch tag {
    case GUMBO_TAG_P, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_DL, GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3,
      GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6:
      true
    case GUMBO_TAG_DIV, GUMBO_TAG_DT, GUMBO_TAG_DD, GUMBO_TAG_SECTION, GUMBO_TAG_ARTICLE,
      GUMBO_TAG_HEADER, GUMBO_TAG_FOOTER, GUMBO_TAG_MAIN, GUMBO_TAG_ASIDE, GUMBO_TAG_NAV, GUMBO_TAG_ADDRESS,
      GUMBO_TAG_FIGURE, GUMBO_TAG_FIGCAPTION, GUMBO_TAG_FORM, GUMBO_TAG_FIELDSET, GUMBO_TAG_CAPTION:
      false
    default: nil
    }
  }

  private func attribute(_ name: String, _ element: GumboElement) -> String? {
    var attributes = element.attributes
    guard let attribute = switchboard_html_attribute(&attributes, name), let value = attribute.pointee.value else {
      return nil
    }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
