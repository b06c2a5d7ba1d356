import { Decimal128, type Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

// Where the tests that MongoDB itself passes had other answers from the engine, or none.
const battery = startBattery()
const insert = (documents: object[]): Promise<unknown> => battery.things.insertMany(documents as never[])
const update = (filter: object, change: Document): Promise<unknown> => battery.things.updateOne(filter, change)
const all = async (): Promise<Document[]> => battery.things.find({}, { sort: { _id: 1 } }).toArray()
const decimal = (text: string): Decimal128 => Decimal128.fromString(text)

describe('$rename', () => {
  it('neither takes _id away nor writes over it', async () => {
    await insert([{ _id: 1, a: 7 }])
    expect(await errorOf(update({}, { $rename: { a: '_id' } }))).toMatchObject({ code: 66 })
    expect(await errorOf(update({}, { $rename: { _id: 'b' } }))).toMatchObject({ code: 66 })
    expect(await all()).toEqual([{ _id: 1, a: 7 }])
  })
})

describe('$mul of a field that is not there', () => {
  it('makes a zero of the type of its factor', async () => {
    await insert([{ _id: 1 }])
    await update({}, { $mul: { a: decimal('2.5') } })
    expect(await all()).toEqual([{ _id: 1, a: decimal('0') }])
  })
})

describe('$', () => {
  it.each([
    { a: { $ne: 7 } },
    { a: { $nin: [7] } },
    { a: { $not: { $gt: 7 } } },
    { a: { $exists: true } },
    { 'a.b': { $exists: false } }
  ])('stands for no element that %j has found', async (filter) => {
    await insert([{ _id: 1, a: [1, 2] }])
    expect(await errorOf(update(filter, { $set: { 'a.$': 0 } }))).toMatchObject({ code: 2 })
    expect(await errorOf(battery.things.findOne(filter, { projection: { 'a.$': 1 } }))).toMatchObject({ code: 51246 })
    expect(await all()).toEqual([{ _id: 1, a: [1, 2] }])
  })
})
