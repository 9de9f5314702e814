import Testing

@Suite("JSONPlaceholder: filters")
struct JSONPlaceholderFilterTests {
  @Test(arguments: rows) func filters(_ row: Row) async throws { try await row.check() }

  static let rows = Table.jsonPlaceholder.rows(
    #"""
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
