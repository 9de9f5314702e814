extension Service {
  /// How a list is divided into pages. Without any parameter it comes whole.
  ///
  /// Where a service has several ways, the number of a page is asked for if the place is a multiple of the size.
  public struct Paging: Sendable {
    /// The parameter for how many records a page has.
    public var size: String?
    /// How many records are asked for where nobody says; nil asks for the rest of the list.
    public var defaultSize: Int?
    /// The most that a page has, whatever is asked for.
    public var cap: Int?
    /// What the service does with a size above the cap.
    public var over = OversizePolicy.clamps
    /// The parameter for the number of the page, and the number of the first.
    public var number: (parameter: String, first: Int)?
    /// The parameter for how many records come before the page.
    public var offset: String?
    /// The number of the first record, where it is not 0.
    public var firstOffset = 0
    /// The most that can be asked to come before.
    public var lastOffset = Int.max
    /// The most records of a list that pages reach by counting, whatever their size.
    public var reach = Int.max
    /// The parameters for the first place and the one behind the last, counted from 0.
    public var stretch: (start: String, end: String)?
    /// Whether the second of these names the last place and not the one behind it.
    public var stretchIsInclusive = false
    /// The first and the last place in one text, counted from 0.
    public var range: Range?
    /// The parameter for a cursor of the service's own.
    public var cursor: String?
    /// The parameter for a value of the last record that came, behind which the next page begins.
    public var after: (parameter: String, field: String)?
    /// The member of a record, around its fields, that ``after`` sends as JSON in the place of the field's value.
    public var afterMember: [String]?
    /// Where a response names the next page: its cursor, an address with it, or its number.
    public var next: ResponseLocation?
    /// Whether ``next`` leads to the address of the next page, which is asked for as it stands, on the same server only.
    public var link: LinkBase?
    /// What says that no page follows. Empty: with a cursor, an address or a number in the response, that there is none;
    /// behind the last record, an empty page; elsewhere the total, and where none is reported, an empty page, or one with fewer records
    /// than it was to have if ``cap`` says how many that may be.
    public var ends: Set<End> = []
    /// Where a response tells how many records there are.
    public var total: ResponseLocation?
    /// How the total is asked for, and what it is worth.
    public var counting = Counting()
    /// Where a response tells how many pages there are.
    public var pages: ResponseLocation?
    /// Where a response tells how many records its page was to have.
    public var echoedSize: ResponseLocation?
    /// Whether a page behind the end repeats the last one; `pages` then tells.
    public var repeatsLast = false
    /// Whether a server may send the whole list where a page was asked for, which is then taken.
    public var mayIgnore = false
    /// Whether no way to a second page was found and nothing declares that there is none: the response may be only a page.
    public var isUntested = false
    /// A parameter for pages that the service's document names and that was not seen to work. Counts only if the pages are untested.
    public var untestedParameter: String?

    /// The whole list at once.
    public init() {}
  }

  /// What a service does with a page size above its cap.
  public enum OversizePolicy: String, Sendable, Hashable, CaseIterable {
    /// It sends as many as the cap is.
    case clamps
    /// It refuses the request, so that none above the cap is sent.
    case refuses
    /// It has no cap, and sends as many as are asked for.
    case sends
    /// It has pages of one size, whatever is asked for: ``Paging/defaultSize``, or one that is not known.
    case ignores
  }

  /// The part of a list that is wanted, as one text: `Range: items=0-9`, `range=[0,9]`.
  public struct Range: Sendable, Hashable {
    /// The header field or the parameter.
    public var name: String
    /// Whether it is a header field.
    public var isHeader: Bool
    /// The text: `{first}` and `{last}` stand for the places, `{size}` for how many. Without an end `{last}` is empty.
    public var text: String

    /// A range.
    public init(_ name: String, isHeader: Bool, text: String) {
      self.name = name
      self.isHeader = isHeader
      self.text = text
    }
  }

  /// What the address of the next page is relative to.
  public enum LinkBase: String, Sendable, Hashable, CaseIterable {
    /// The address of the request, as it is on the web.
    case request
    /// The backend's base address.
    case api
  }

  /// What says that a list is over.
  public enum End: Sendable, Hashable {
    /// The response names no next page.
    case noNext
    /// As many records came as the total says.
    case total
    /// As many pages came as the response says.
    case pages
    /// The member at this path is false.
    case hasMore([String])
    /// The page has fewer records than it was to have.
    case shortPage
    /// The page has no records.
    case emptyPage
    /// The page has the records of the one before it.
    case repeats
    /// A page that is not the first is answered with this status.
    case status(Int)
  }

  /// How a total is asked for, and what it is worth.
  public struct Counting: Sendable {
    /// Whether it is an estimate, which nothing can be held against: it is not reported.
    public var isEstimated = false
    /// Parameters that ask for it.
    public var parameters: [(String, String)] = []
    /// Headers that ask for it.
    public var headers: [(String, String)] = []
    /// Whether only the first page is asked for it.
    public var isOnFirstPageOnly = false
    /// Whether it is in the response to HEAD, which is sent before the first page.
    public var byHead = false
    /// Parts of the path behind the resource's at which it is asked for before the first page, by a request with the conditions of the list
    /// alone; empty where the response to the list tells it.
    public var path: [String] = []

    /// A total that comes by itself.
    public init() {}
  }

  /// Where a value stands in a response.
  public enum ResponseLocation: Sendable, Hashable {
    /// In a header field; where `member` is not empty, in the JSON that stands there: `X-Pagination: {"total": 43}`.
    case header(String, member: [String] = [])
    /// In the document around the records.
    case member([String])
    /// A parameter of the address in the document.
    case parameter(String, of: [String])
    /// The address with this relation in the header field Link.
    case relation(String)
    /// In a list of objects at `list`, the member `member` of the one whose member `name` has this value.
    case entry(of: [String], where: String, is: String, member: String)
    /// The total in Content-Range: what stands behind the slash.
    case contentRange
  }
}
