import Testing

@Suite("JSONPlaceholder: lists")
struct JSONPlaceholderListTests {
  @Test(arguments: rows) func lists(_ row: Row) async throws { try await row.check() }

  static let rows = Table.jsonPlaceholder.rows(
    #"""
    # 1 a list without parameters is everything
    GET {PATH}  < 200  json  . #200  X-Total-Count:  Link:  for PATH  /todos  /todos/  /TODOS  /todos?_start=198
    # 2 a page has its count and its links
    GET /todos?_page=2&_limit=5  < 200  .*.id [6,7,8,9,10]  X-Total-Count: 200
      Access-Control-Expose-Headers: X-Total-Count, Link
      Link: <{TODOS}?_page=1&_limit=5>; rel="first", <{TODOS}?_page=1&_limit=5>; rel="prev", <{TODOS}?_page=3&_limit=5>; rel="next", <{TODOS}?_page=40&_limit=5>; rel="last"
      for TODOS  {base}/todos
    # 3 the first page, the last, and the one behind it
    each TODOS  {base}/todos
    GET /todos?_page=1  < 200  .*.id #10
      Link: <{TODOS}?_page=1>; rel="first", <{TODOS}?_page=2>; rel="next", <{TODOS}?_page=20>; rel="last"
    GET /todos?_page=40&_limit=5  < 200
      Link: <{TODOS}?_page=1&_limit=5>; rel="first", <{TODOS}?_page=39&_limit=5>; rel="prev", <{TODOS}?_page=40&_limit=5>; rel="last"
    GET /todos?_page=41&_limit=5  < 200  = []  X-Total-Count: 200  Link: ""
    GET /todos?_page=999999999999999999&_limit=999999999999999999  < 200  = []
    # 4 links are empty where all is on one page, and count what was filtered
    GET /todos?_limit=200&_page=1  < 200  Link: ""
    GET /todos?userId=1&_page=2&_limit=7  < 200  . #7  X-Total-Count: 20
      Link: ...<{base}/todos?userId=1&_page=3&_limit=7>; rel="last"
    GET /todos?userId=77&_page=1  < 200  = []  X-Total-Count: 0
    # 5 odd pages and sizes
    GET /todos?{Q}  < 200  .*.id #{COUNT}
      for Q COUNT  _page=0 10  _page=-3 10  _page=abc 10  _page=1&_limit=0 10  _page=1&_limit=abc 10  _limit=0 0
      _limit=-1 199  _page=1&_limit=2.9 2  _page=1&_limit=2abc 2  _page=2&_limit=-3 0  _page=1&_per_page=3 10
    # 5 the links of page 0 lead to page 0, and a look-alike parameter before the page is changed instead
    each ZERO  {base}/todos?_page=0&_limit=50
    GET /todos?_page=0&_limit=50  < 200  Link: <{ZERO}>; rel="first", <{ZERO}>; rel="next", <{ZERO}>; rel="last"
    GET /todos?title_page=1&_page=1  < 200  Link: ...title_page=2&_page=1>; rel="next"...
    # 6 slices by start, end and limit
    GET /todos?{Q}  < 200  .*.id {IDS}  X-Total-Count: 200  Link:
      for Q IDS  _start=5&_limit=3 [6,7,8]  _start=5&_end=8 [6,7,8]  _start=5&_end=8&_limit=1 [6,7,8]
      _start=-2&_end=300 [199,200]  _end=2 [1,2]  _start=198&_end=-1 [199]
    GET /todos?_start=5&_end=8&_page=1&_limit=2  < 200  .*.id [1,2]  X-Total-Count: 200  Link: ...
    # 7 sorting by several fields, stable and by code units
    start --set jsonplaceholder.profile=json-server --import {"things":[
      {"id":1,"a":"zeta","b":true},{"id":2,"a":"Apple","b":false},{"id":3,"a":null,"b":true},
      {"id":4,"b":false},{"id":5,"a":"Éclair","b":true},{"id":6,"a":"apple","b":false}]}
    GET /things?_sort=a  < 200  .*.id [2,6,1,5,3,4]
    GET /things?_sort=a&_order=DESC  < 200  .*.id [4,3,5,1,6,2]
    GET /things?_sort=b,id&_order=desc,desc&_limit=3  < 200  .*.id [5,3,1]
    GET /things?_sort=b,id&_order=desc  < 200  .*.id [1,3,5,2,4,6]
    GET /things?_sort=a&_sort=b  < failure
    GET /things?{IGNORED}  < 200  .*.id [1,2,3,4,5,6]
      for IGNORED  _sort=nope&_order=desc  _sort=-id  _sort=id&_order=sideways  _sort=  _order=desc
    start
    GET /todos?_sort=completed,id&_order=desc,desc&_limit=3  < 200  .*.id [200,188,187]
    # 11 nested lists are filtered by the parent, whether it exists or not
    GET /users/1/todos  < 200  .*.id 1..20
    GET /users/1/todos?userId=2&_limit=2  < 200  .*.id [1,2]
    GET /users/999/todos  < 200  = []
    GET /nope/1/todos?_limit=1  < 200  .*.id [1]
    GET /users/1/nope  < nothing
    GET /users/1/todos/1  < nothing
    # 12 what is not there
    GET {PATH}  < nothing  for PATH  /todos/201  /todos/abc  /todos/01  /nope  /nope/1  //todos/1
    GET /todos/%31  < 200  .id 1
    PUT /todos  < nothing
    DELETE /todos  < nothing
    POST /todos/1  < nothing
    PROPFIND /todos  < nothing
    GET /todos/%  < failure
    # Children and parents are put into a record
    GET /users/10?_embed=todos&_embed=nope  < 200  .todos #20  .nope []
    GET /todos?_limit=2&_expand=user  < 200  .*.user.id [1,1]
    GET /todos/1?_expand=thing&_embed=  < 200  . #4
    GET /users/1?_expand=todo  < failure
    # json-server 1 puts children and parents into a record by one parameter
    start --set jsonplaceholder.profile=json-server-1
    POST /todos {"userId":"1","title":"of a user"}  < 201  id := .id  .id string
    GET /todos/{id}?_embed=user&_embed=nope&_embed=thing&_expand=user  < 200  .user.id "1"  . #4
    // Identifiers are texts there, and a number is none.
    GET /todos/1?_embed=user  < 200  .user none
    GET /users?_page=1&_per_page=2&_embed=todos  < 200  .data #2  .data.0.todos #1  .data.1.todos #0
    GET /users?_embed=todo  < 200  .0 object  .0.todo none
    """#)
}
