/// Names of the parameters by which services divide their lists, the most usual first.
enum PageWords {
  /// The size of a page.
  static let sizes = [
    "limit", "per_page", "page_size", "size", "pageSize", "perPage", "_limit", "_per_page", "max_results", "count",
    "itemsPerPage", "items_per_page", "page[size]", "page[limit]", "max", "rows", "first", "_size", "$top",
    "maxResults", "take",
  ]
  /// The number of a page.
  static let numbers = ["page", "_page", "page[number]", "pageNumber", "page_number", "p"]
  /// The number of records before a page, with the number of the first record.
  static let offsets = [
    ("offset", 0), ("skip", 0), ("start", 0), ("_start", 0), ("page[offset]", 0), ("$skip", 0), ("startIndex", 1),
    ("startAt", 0),
  ]
  /// The identifier of the last record of the page before.
  static let after = ["starting_after", "after", "since_id"]
  /// The reference to the next page in a response.
  static let tokens = [
    "cursor", "page_token", "pageToken", "next", "_next", "after", "continuation", "token", "marker", "continue",
    "page[cursor]", "page[after]",
  ]
  /// Less usual parameters for the reference to the next page.
  static let otherTokens = [
    "from", "since", "start", "begin", "offset", "position", "start_key", "startKey", "next_key", "nextToken",
    "next_cursor", "nextCursor", "page_state", "scroll_id", "bookmark",
  ]
  /// The usual parameters for the place of a page.
  static let places = numbers + offsets.map(\.0) + after + tokens
  /// Parts of names of parameters for the place of a page instead of its size.
  static let placeParts = ["offset", "skip", "cursor", "token", "after", "before", "start", "marker", "from", "number"]
}
