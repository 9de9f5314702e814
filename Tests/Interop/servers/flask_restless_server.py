"""flask-restless-ng: JSON:API over SQLite. flask_restless_server.py PORT FOLDER"""
import sys
import flask, flask_restless
from flask import logging as _
import logging
from sqlalchemy import Column, ForeignKey, Integer, Text, create_engine
from sqlalchemy.orm import declarative_base, relationship, scoped_session, sessionmaker

logging.getLogger("werkzeug").setLevel(logging.ERROR)
engine = create_engine("sqlite:///" + sys.argv[2] + "/desk.db", connect_args={"check_same_thread": False})
session = scoped_session(sessionmaker(bind=engine))
Base = declarative_base()


class Person(Base):
    __tablename__ = "person"
    id = Column(Integer, primary_key=True)
    name = Column(Text)


class Article(Base):
    __tablename__ = "article"
    id = Column(Integer, primary_key=True)
    title = Column(Text)
    n = Column(Integer)
    note = Column(Text)
    author_id = Column(Integer, ForeignKey("person.id"))
    author = relationship(Person, backref="articles")


Base.metadata.create_all(engine)
session.add_all([Person(id=i, name=f"person {i}") for i in range(1, 6)])
session.add_all([
    Article(id=i, title=f"article {i:02}", n=i * 7 % 31, note=None if i % 4 else f"note {i}", author_id=i % 5 + 1)
    for i in range(1, 46)])
session.commit()
app = flask.Flask(__name__)
manager = flask_restless.APIManager(app, session=session)
for model in [Person, Article]:
    manager.create_api(model, methods=["GET", "POST", "PATCH", "DELETE"], page_size=10, max_page_size=20)
app.run("127.0.0.1", int(sys.argv[1]), threaded=False)
