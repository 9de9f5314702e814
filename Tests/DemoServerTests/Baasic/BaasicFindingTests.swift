import DemoServerSupport
import TestSupport
import Testing

@Suite("Baasic: finding")
struct BaasicFindingTests {
  @Test(arguments: rows) func finds(_ row: Row) async throws { try await row.check() }

  static let rows = Table.baasic.rows(
    #"""
    # 1 versions, applications, slashes and case
    GET {PATH}  < 200  .item #10
      for PATH  /resources/todo  /resources/todo/  /v1/demo/resources/todo  /beta/demo/resources/todo/
      /V1/DEMO/Resources/TODO/?page=1
    GET /v1/other/resources/todo  < 404  problem
    GET /v2/demo/resources/todo  < 404
    DELETE {PATH} {"token":"x"}  < 404  for PATH  /login  /Login/  /v1/demo/LOGIN
    # 2 without parameters the first ten come in an envelope
    GET /resources/todo  < 200  json  . keys item page recordsPerPage searchQuery sort totalRecords
      .page 1  .recordsPerPage 10  .totalRecords 12  = ..."searchQuery":null,"sort":null...
      .item.0 keys id title isComplete description scheduledDate
    # 3 pages follow each other and end in an empty one, or in 204
    GET /resources/todo?rpp=100  < 200  fourth := .item.3.id  fifth := .item.4.id  sixth := .item.5.id
    GET /resources/todo?page=2&rpp=3  < 200  .page 2  .recordsPerPage 3
      .item.*.id ["{fourth}","{fifth}","{sixth}"]
    GET /resources/todo?page=9&rpp=3  < 200  .item []  .page 9
    GET /resources/todo?page=9&rpp=3  Demo-Set: baasic.empty=nocontent  < 204  =  Content-Type:
    GET /resources/todo?rpp=100  Demo-Set: baasic.maxrpp=4  < 200  .recordsPerPage 4
    GET /resources/todo?{WRONG}  < 400  problem  for WRONG  page=0  page=x  rpp=0  rpp=-1  rpp=99999999999999999999
    # 4, 5 and 6 sorting and searching
    start --import {"baasic":{"resources":{"todo":[
      {"id":"a","title":"Buy milk","isComplete":true,"description":"two litres"},
      {"id":"b","title":"buy Milk","isComplete":false,"description":"It's for O'Neil"},
      {"id":"c","title":"Apples","isComplete":true,"scheduledDate":"2024-05-01 10:00:00"},
      {"id":"d","title":"zebra_50%","isComplete":false,"scheduledDate":"2024-06-01 10:00:00"}]}}}
    // 4 sorting goes both ways, and a bare name upwards
    GET /resources/todo?sort=title  < 200  .item.*.title ["Apples","Buy milk","buy Milk","zebra_50%"]
    GET /resources/todo?sort=title%7Casc  < 200  .item.*.title ["Apples","Buy milk","buy Milk","zebra_50%"]
    GET /resources/todo?sort=title|desc  < 200  .item.*.title ["zebra_50%","buy Milk","Buy milk","Apples"]
    GET /resources/todo?sort=scheduledDate%7Cdesc  < 200  .item.0.title "zebra_50%"  .item.1.title "Apples"
    GET /resources/todo?sort=title%7Cdesc  < 200  .sort "title|desc"
    GET /resources/todo?sort=nope  < 400  problem nope
    GET /resources/todo?sort=title%7Cup  < 400  problem
    GET /resources/todo?sort=x%22y  < 400  problem
    // 5 conditions in the query language
    GET /resources/todo?rpp=100&searchQuery={%Q}  < 200  .item.*.id {IDS}
      for IDS Q  ["a"] WHERE isComplete = true AND title LIKE '%milk%'  ["b","d"] where "isComplete" = false
      ["c"] WHERE title = 'Apples'  [] WHERE title = 'apples'
      ["a","b"] WHERE title <> 'Apples' AND (title = 'Buy milk' OR title = 'buy Milk')
      ["c"] WHERE title = 'Apples' OR title = 'Buy milk' AND isComplete = false
      ["b","d"] WHERE title != 'Apples' AND isComplete <> true  ["c","d"] WHERE scheduledDate >= '2024-05-01 10:00:00'
      ["d"] WHERE scheduledDate > '2024-05-01 10:00:00'
      ["c"] WHERE scheduledDate < '2024-06-01' AND scheduledDate <= '2025'
      ["b"] WHERE description = 'It''s for O''Neil'  ["b"] WHERE description LIKE '%O''N%'  ["b"] WHERE title LIKE 'b%'
      [] WHERE title LIKE '%50*'  ["d"] WHERE title LIKE 'zebra_50_'
      ["a"] WHERE title LIKE '%milk%' order by title desc  ["d","b","a","c"] ORDER BY title DESC
      ["a","c"] select * where isComplete = true  [] WHERE isComplete = 1  [] WHERE title = 'x'' OR title <> ''y'
    // 5 a query that cannot be read is refused
    GET /resources/todo?searchQuery={%Q}  < 400  problem
      for Q  WHERE  WHERE title  WHERE title =  WHERE title = 'x  WHERE title = x  WHERE (title = 'x'
      WHERE title = 'x')  WHERE title = 'x' AND  WHERE title LIKE 5  WHERE title = 'x'; DROP TABLE documents
      WHERE nope = 1  WHERE title = 'x' GROUP BY title  SELECT title FROM todo  WHERE 'x' = title  WHERE "ti""tle" = 'x'
      WHERE title == 'x'  WHERE title = 1.2.3  order by  WHERE title = 'x' -- y
    // 6 any other text is looked for in all texts, without regard to case
    GET /resources/todo?rpp=100&searchQuery={%Q}  < 200  .item.*.id {IDS}
      for IDS Q  ["a","b"] MILK  ["b"] o'neil  [] order  ["d"] 50%  [] c
    # 5 numbers compare as numbers, and the count is that of what was found
    GET /resources/book?rpp=1&searchQuery={%Q}  < 200  .totalRecords 3  .item #1  .searchQuery "{Q}"
      for Q  WHERE pages > 300 AND price >= 12.5
    GET /resources/book?searchQuery={%Q}  < 400  problem  for Q  WHERE {(*500}pages = 1{)*500}
    # 7 fields leaves the other properties out
    GET /resources/todo?fields=id,title  < 200  .item #10  .item.* keys id title  id := .item.0.id
    GET /resources/todo/{id}?fields=title  < 200  . keys title
    GET /resources/Book?fields=shelf.row  < 200  .item.*.shelf #1  .item.*.shelf keys row
    # 13 hypertext is served to who asks for it
    GET /resources/todo?rpp=1  Accept: {ACCEPT}  < 200  json  != ..._links...
      for ACCEPT  */*  application/json  text/html  application/json, application/hal+json
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    GET /resources/todo?rpp=1&fields=title  Accept: application/hal+json  < 200  hal  .item none
      ._embedded.item.0._links keys self put patch delete
      ._embedded.item.0._links.self.href = {base}/resources/todo/{id}  ._embedded.item.0._links.self.templated false
    GET /resources/todo/{id}  Accept: application/hal+json  < 200  ._links object
    GET /resources/todo?rpp=1  Accept: application/hal+json  Demo-Set: baasic.hal=toplevel  < 200  hal
      .item.0._links object
    # 20 dates keep their form, or lose it where the switch says so
    start --import {"baasic":{"resources":{"todo":[
      {"title":"t","scheduledDate":"2024-01-01 10:00:00"},{"title":"t","scheduledDate":"2024-01-01T10:00:00+02:00"},
      {"title":"t","scheduledDate":"2024-01-01T10:00:00.1234567Z"},{"title":"t","scheduledDate":"2024-01-01T10:00"},
      {"title":"t","scheduledDate":"2024-13-01T10:00:00Z"},{"title":"t","scheduledDate":""}]}}}
    GET /resources/todo  < 200  .item #6  .item.0.scheduledDate "2024-01-01 10:00:00"
      .item.1.scheduledDate "2024-01-01T10:00:00+02:00"  .item.2.scheduledDate "2024-01-01T10:00:00.1234567Z"
      .item.3.scheduledDate "2024-01-01T10:00"  .item.4.scheduledDate "2024-13-01T10:00:00Z"  .item.5.scheduledDate ""
    GET /resources/todo  Demo-Set: baasic.dates=reformatted  < 200  .item #6
      .item.0.scheduledDate "2024-01-01 10:00:00"
      .item.1.scheduledDate "2024-01-01T08:00:00Z"  .item.2.scheduledDate "2024-01-01T10:00:00Z"
      .item.3.scheduledDate "2024-01-01T10:00:00Z"  .item.4.scheduledDate "2024-13-01T10:00:00Z"
      .item.5.scheduledDate ""
    """#)

  @Test("5 a query may have hundreds of alternatives")
  func alternatives() async throws {
    let query = "WHERE " + (0..<399).map { "pages = \($0) OR" }.joined(separator: " ") + " pages = 635"
    try await Table.baasic.check(
      #"""
      GET /resources/book?searchQuery={%Q}  < 200  .item #2
      """#, on: Demo.start(["--memory"]), ["Q": query])
  }
}
