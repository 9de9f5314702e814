extension Service {
  /// The division of a list into pages. Without any parameter a second page cannot be requested; ``sendsWholeLists``
  /// means that there is none.
  ///
  /// If a service has several ways, a page is requested by number if its position is a multiple of the size.
  public struct Paging: Sendable {
    /// The parameter for the number of records per page.
    public var size: String?
    /// The page size to ask for by default; nil asks for the rest of the list.
    public var defaultSize: Int?
    /// The smallest page that may be requested; nil if any may.
    public var least: Int?
    /// The largest page that the service sends, whatever is asked for.
    public var cap: Int?
    /// The service's response to a size above the cap.
    public var over = OversizePolicy.clamps
    /// The parameter for the number of the page, and the number of the first.
    public var number: (parameter: String, first: Int)?
    /// The parameter for the number of records before the page.
    public var offset: String?
    /// The number of the first record, if it is not 0.
    public var firstOffset = 0
    /// The largest offset that can be asked for.
    public var lastOffset = Int.max
    /// The largest number of records that can be reached by counting, whatever the page size.
    public var reach = Int.max
    /// The parameters for the first position and the one after the last, counted from 0.
    public var stretch: (start: String, end: String)?
    /// True if the second parameter of ``stretch`` is the last position and not the one after it.
    public var stretchIsInclusive = false
    /// The first and the last position in one text, counted from 0.
    public var range: Range?
    /// The parameter for a cursor of the service's own.
    public var cursor: String?
    /// The parameter for a value of the last record received, after which the next page begins.
    public var after: (parameter: String, field: String)?
    /// The member of a record, around its fields, that ``after`` sends as JSON in place of the field's value.
    public var afterMember: [String]?
    /// The place in a response of the next page's cursor, number or address.
    public var next: ResponseLocation?
    /// The base of the address that ``next`` leads to. If set, the next page is requested at that address as it is, on
    /// the same server only.
    public var link: LinkBase?
    /// The signs that no page follows. If empty: for a cursor, an address or a number in the response, that there is
    /// none; after the last record, an empty page; otherwise the total or, if none is reported, an empty page, or, if
    /// ``cap`` is known, one with fewer records than requested.
    public var ends: Set<End> = []
    /// The place of the total number of records in a response.
    public var total: ResponseLocation?
    /// The way the total is requested, and its reliability.
    public var counting = Counting()
    /// The place of the number of pages in a response.
    public var pages: ResponseLocation?
    /// The place in a response of the page size that it used.
    public var echoedSize: ResponseLocation?
    /// True if a page past the end repeats the last one; `pages` then shows where the list ends.
    public var repeatsLast = false
    /// True if a server may send the whole list when asked for a page; the whole list is then accepted.
    public var mayIgnore = false
    /// True if the service is known to send whole lists. If that is not described, a list without a way to a second
    /// page is likely whole, or untested if its response has a sign that records follow.
    public var sendsWholeLists = false
    /// True if a way to a second page was looked for and not found, so that only a bare list of no usual page size is
    /// likely whole.
    public var isUntested = false
    /// True if the service was not seen to divide its lists so: an end that only these facts prove is likely.
    public var isLikely = false
    /// True if nobody has read a second page: the first request names no page, the second decides whether pages begin with
    /// 0 or 1, and only an empty page behind the last proves the end.
    public var isUnread = false
    /// A paging parameter that the service's document names but that was not seen to work. Counts only if the pages are
    /// untested.
    public var untestedParameter: String?

    /// A list without described pages.
    public init() {}

    /// A service that sends whole lists.
    public static var none: Paging {
      var paging = Paging()
      paging.sendsWholeLists = true
      return paging
    }
  }

  /// A service's response to a page size above its cap.
  public enum OversizePolicy: String, Sendable, Hashable, CaseIterable {
    /// It sends as many as the cap.
    case clamps
    /// It refuses the request, so that none above the cap is sent.
    case refuses
    /// It has no cap, and sends as many as requested.
    case sends
    /// It has pages of one size, whatever is requested: ``Paging/defaultSize``, or an unknown size.
    case ignores
  }

  /// The part of a list that is wanted, as one text: `Range: items=0-9`, `range=[0,9]`.
  public struct Range: Sendable, Hashable {
    /// The header field or the parameter.
    public var name: String
    /// True if it is a header field.
    public var isHeader: Bool
    /// The text: `{first}` and `{last}` are replaced by the positions, `{size}` by the number of records. Without an
    /// end `{last}` is empty.
    public var text: String

    /// A range.
    public init(_ name: String, isHeader: Bool, text: String) {
      self.name = name
      self.isHeader = isHeader
      self.text = text
    }
  }

  /// The base to which the address of the next page is relative.
  public enum LinkBase: String, Sendable, Hashable, CaseIterable {
    /// The address of the request, as it is on the web.
    case request
    /// The backend's base address.
    case api
  }

  /// A sign that a list has ended.
  public enum End: Sendable, Hashable {
    /// The response names no next page.
    case noNext
    /// The number of records reached the total.
    case total
    /// The number of pages reached the reported one.
    case pages
    /// The member at this path is false.
    case hasMore([String])
    /// The page has fewer records than requested.
    case shortPage
    /// The page has no records.
    case emptyPage
    /// The page has the records of the one before it.
    case repeats
    /// A page that is not the first is answered with this status.
    case status(Int)
  }

  /// The way a total is requested, and its reliability.
  public struct Counting: Sendable {
    /// True if the total is an estimate, which proves nothing: it is not reported.
    public var isEstimated = false
    /// True if the total is known to count every record. If it is not, the service may count up to a limit only: a
    /// total that a full page reaches ends the list only if nothing is behind it.
    public var isExact = false
    /// Members of a response and their values with which its total is exact; otherwise it is an estimate.
    public var exactIf: [(path: [String], value: Value)] = []
    /// True if the total is that of the whole list, whatever the conditions: a list with conditions has none. If
    /// undescribed, a total with conditions that equals that of the whole list is not trusted.
    public var ignoresConditions: Bool?
    /// Parameters that ask for it.
    public var parameters: [(String, String)] = []
    /// Headers that ask for it.
    public var headers: [(String, String)] = []
    /// True if only the request for the first page asks for it.
    public var isOnFirstPageOnly = false
    /// True if the total is in the response to HEAD, which is sent before the first page.
    public var byHead = false
    /// Segments of the path, after the resource's, at which the total is requested before the first page, with only the
    /// conditions of the list; empty if the response to the list reports it.
    public var path: [String] = []

    /// A total that is reported without being requested.
    public init() {}
  }

  /// The place of a value in a response.
  public enum ResponseLocation: Sendable, Hashable {
    /// In a header field; if `member` is not empty, in the JSON that the field holds: `X-Pagination: {"total": 43}`.
    case header(String, member: [String] = [])
    /// In the document around the records.
    case member([String])
    /// A parameter of the address in the document.
    case parameter(String, of: [String])
    /// The address with this relation in the header field Link.
    case relation(String)
    /// In a list of objects at `list`, the member `member` of the one whose member `name` has this value.
    case entry(of: [String], where: String, is: String, member: String)
    /// The total in Content-Range: the text after the slash.
    case contentRange
  }
}
