"""fastcrud over SQLite. fastcrud_server.py PORT FOLDER"""
import sys
from contextlib import asynccontextmanager
import uvicorn
from fastapi import FastAPI
from fastcrud import crud_router
from pydantic import BaseModel
from sqlalchemy import Column, Integer, String
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase

engine = create_async_engine("sqlite+aiosqlite:///" + sys.argv[2] + "/desk.db")
sessions = async_sessionmaker(engine, class_=AsyncSession, expire_on_commit=False)


class Base(DeclarativeBase): pass


class Item(Base):
    __tablename__ = "items"
    id = Column(Integer, primary_key=True)
    name = Column(String(40))
    n = Column(Integer)


class ItemCreate(BaseModel):
    name: str
    n: int | None = None


class ItemUpdate(BaseModel):
    name: str | None = None
    n: int | None = None


async def session():
    async with sessions() as it: yield it


@asynccontextmanager
async def lifespan(app):
    async with engine.begin() as connection: await connection.run_sync(Base.metadata.create_all)
    async with sessions() as it:
        it.add_all([Item(id=i, name=f"item {i:02}", n=i * 7 % 31) for i in range(1, 46)])
        await it.commit()
    yield


app = FastAPI(lifespan=lifespan)
app.include_router(crud_router(session=session, model=Item, create_schema=ItemCreate, update_schema=ItemUpdate, path="/items", tags=["Items"]))
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
