import Testing

@Suite("JSONPlaceholder: lists and filters")
struct JSONPlaceholderListTests {
  @Test(arguments: rows) func lists(_ row: Row) async throws { try await row.check() }

  static let rows = Table.jsonPlaceholder.rows(
    #"""
    # 1 a list without parameters is everything
    GET {PATH}  < 200  json  . #200  X-Total-Count:  Link:  for PATH  /todos  /todos/  /TODOS  /todos?_start=198
    # 2 a page has its count and its links
    each T S  {base}/todos?_page= &_limit=5
    GET /todos?_page=2&_limit=5  < 200  .*.id [6,7,8,9,10]  X-Total-Count: 200
      Access-Control-Expose-Headers: X-Total-Count, Link
      Link: <{T}1{S}>; rel="first", <{T}1{S}>; rel="prev", <{T}3{S}>; rel="next", <{T}40{S}>; rel="last"
    # 3 the first page, the last, and the one behind it
    each T S  {base}/todos?_page= &_limit=5
    GET /todos?_page=1  < 200  .*.id #10
      Link: <{T}1>; rel="first", <{T}2>; rel="next", <{T}20>; rel="last"
    GET /todos?_page=40&_limit=5  < 200
      Link: <{T}1{S}>; rel="first", <{T}39{S}>; rel="prev", <{T}40{S}>; rel="last"
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
    GET /things?_sort={Q}  < 200  .*.id {IDS}  for Q IDS  a [2,6,1,5,3,4]  a&_order=DESC [4,3,5,1,6,2]
      b,id&_order=desc,desc&_limit=3 [5,3,1]  b,id&_order=desc [1,3,5,2,4,6]
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
    GET /users/1/{PATH}  < nothing  for PATH  nope  todos/1
    # 12 what is not there
    GET {PATH}  < nothing  for PATH  /todos/201  /todos/abc  /todos/01  /nope  /nope/1  //todos/1
    GET /todos/%31  < 200  .id 1
    {M} {PATH}  < nothing  for M PATH  PUT /todos  DELETE /todos  POST /todos/1  PROPFIND /todos
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
    # 8, 9 and 10 conditions on records of one's own
    start --set jsonplaceholder.profile=json-server --import {"things":[
      {"id":1,"title":"delectus (aut)","n":5,"ok":true,"at":{"city":"Basel"}},
      {"id":2,"title":"Über {x}","n":10.5,"ok":false,"at":{"city":"Bern"},"tags":["a","b"]},
      {"id":3,"title":"family 👩‍💻","n":"7","ok":true},
      {"id":4,"title":null,"n":0,"ok":false},
      {"id":5,"title":"199","n":-1}]}
    // 8 equality by text, alternatives, unknown fields and ranges
    GET /things?{Q}  < 200  .*.id {IDS}
      for Q IDS  id=3&id=5 [3,5]  id[]=1&id[1]=2 [1,2]  id=1,2 []  ok=true [1,3]  ok=True []  ok=true&id=1 [1]
      n=10.50 []  n=10.5 [2]  at.city=Bern [2]  nope=1 [1,2,3,4,5]  title= []  title=null []  nope_gte=1 []
      id_gt=4 [1,2,3,4,5]  id_gte=2&id_lte=3 [2,3]  n_gte=5 [1,2,3]  n_lte= [4,5]  n_gte=abc []  ok_gte=1 [1,3]
      title_gte=e [2,3]  id[gte]=2 []  title:contains=x [1,2,3,4,5]  tags=a,b [2]  title=%C3%9Cber+{x} [2]
    // 9 regular expressions, and everything but a value
    GET /things?{Q}  < 200  .*.id {IDS}
      for Q IDS  title_like=%5EDELEC [1]  title_like= [1,2,3,5]  title_like={x [2]  title_like=%5C(a [1]
      title_like=%5E%5Cd{3}$ [5]  title_like=[[(] [1]  title_like=%C3%BCber [2]  n_like=0 [2,4]  id_ne=1&id_ne=2 [3,4,5]
      title_ne=199 [1,2,3]  nope_ne=1 []
    // 9 an expression that JavaScript does not take is a failure
    GET /things?title_like={%EXPRESSION}  < failure  for EXPRESSION  [  (  *  a++  (?i)a  \
    // 10 full text over all values but those that count as false
    GET /things?{Q}  < 200  .*.id {IDS}
      for Q IDS  q=DELECTUS [1]  q=true [1,3]  q=false []  q=199 [5]  q= [1,2,3,4,5]  q=basel [1]  q=0 [2]
      q=%F0%9F%91%A9 [3]  q=null []  q=family&q=199 [3]  q=b&ok=false [2]
    # 8 and 10 on the usual records
    GET /todos?id_gte=10&id_lte=12  < 200  .*.id [10,11,12]
    GET /todos?id_ne=1&id_ne=2&_limit=1  < 200  X-Total-Count: 198
    GET /todos?q=true  < 200  .*.id #90
    GET /todos?q=false  < 200  = []
    GET /todos?userId=1&completed=true  < 200  .*.id #9
    """#)
}
