import {
  internalHistoryPath,
  internalOutboxPath,
  internalPasswordMarksPath,
  mqttAuthBatchMax,
  mqttAuthBatchPath,
  mqttAuthPath,
  mqttRefusedPath,
  type MqttRefusal
} from '@batti/contracts'
import { pino } from 'pino'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { createInternalApp } from './internal-app.ts'

const secret = 's'.repeat(32)
function setUp(answer: () => Promise<{ result: 'allow' | 'deny' }> = () => Promise.resolve({ result: 'allow' })) {
  const refused: MqttRefusal[] = []
  const app = createInternalApp({
    secret,
    log: pino({ level: 'silent' }),
    answerMqttAuth: answer,
    onMqttRefused: (refusal) => void refused.push(refusal)
  })
  const post = (path: string) => request(app).post(path).set('authorization', `Bearer ${secret}`)
  return { app, post, refused }
}

it('answers the broker, and refuses requests without the secret', async () => {
  const { app, post } = setUp()
  await post(mqttAuthPath).send({ clientid: 'dev-1' }).expect(200, { result: 'allow' })
  await request(app).post(mqttAuthPath).send({ clientid: 'dev-1' }).expect(401, '')
  await request(app).post(mqttAuthPath).set('authorization', 'Bearer wrong').send({}).expect(401, '')
})

it('shows the outbox of a demo to requests with the secret', async () => {
  const app = createInternalApp({
    secret,
    log: pino({ level: 'silent' }),
    answerMqttAuth: () => Promise.resolve({ result: 'allow' }),
    onMqttRefused: () => undefined,
    readOutbox: (to) => [{ id: '1', kind: 'mail', to, subject: 's', text: 't', at: 1 }]
  })
  await request(app).get(`${internalOutboxPath}?to=a@b.np`).expect(401, '')
  const answer = await request(app).get(`${internalOutboxPath}?to=a@b.np`).set('authorization', `Bearer ${secret}`)
  expect(answer.body).toEqual([expect.objectContaining({ to: 'a@b.np' })])
  const real = setUp().app
  await request(real).get(internalOutboxPath).set('authorization', `Bearer ${secret}`).expect(404)
})

it('returns password marks to requests with the secret, and none in production', async () => {
  const app = createInternalApp({
    secret,
    log: pino({ level: 'silent' }),
    answerMqttAuth: () => Promise.resolve({ result: 'allow' }),
    onMqttRefused: () => undefined,
    passwordMarks: (emails) => Promise.resolve(new Map(emails.slice(1).map((email) => [email, `mark of ${email}`])))
  })
  const ask = (of: typeof app, body: object) =>
    request(of).post(internalPasswordMarksPath).set('authorization', `Bearer ${secret}`).send(body)
  await request(app).post(internalPasswordMarksPath).send({ emails: [] }).expect(401, '')
  await ask(app, { emails: ['a@b.np', 'c@b.np'] }).expect(200, { marks: { 'c@b.np': 'mark of c@b.np' } })
  await ask(app, { emails: 'a@b.np' }).expect(400)
  await ask(setUp().app, { emails: [] }).expect(404)
})

it('accepts a history for a demo only', async () => {
  const received: unknown[] = []
  const app = createInternalApp({
    secret,
    log: pino({ level: 'silent' }),
    answerMqttAuth: () => Promise.resolve({ result: 'allow' }),
    onMqttRefused: () => undefined,
    writeHistory: (history) => Promise.resolve(void received.push(history))
  })
  const tell = (to: typeof app, body: object) =>
    request(to).post(internalHistoryPath).set('authorization', `Bearer ${secret}`).send(body)
  const history = {
    userName: 'Sita',
    changes: [{ deviceId: 'a'.repeat(24), switchIndex: 0, on: true, at: 1, by: 'user' }]
  }
  await tell(app, history).expect(200)
  await tell(app, { changes: 1 }).expect(400)
  expect(received).toEqual([history])
  await tell(setUp().app, history).expect(404)
  await request(app).post(internalHistoryPath).send(history).expect(401)
})

it.each([
  ['malformed JSON', '{bad'],
  ['a body beyond 16 KiB', JSON.stringify({ clientid: 'x'.repeat(20_000) })]
])('%s is a denial that reveals nothing internal', async (_what, body) => {
  const { post } = setUp()
  await post(mqttAuthPath).type('json').send(body).expect(200, { result: 'deny' })
})

it('an invalid question is denied like any other', async () => {
  await setUp().post(mqttAuthPath).send({ clientid: {}, password: 1 }).expect(200, { result: 'deny' })
})

it('a failed check is a denial, because brokers accept a board at an unknown status', async () => {
  const { post } = setUp(() => Promise.reject(new Error('the database is away')))
  await post(mqttAuthPath).send({ clientid: 'dev-1' }).expect(200, { result: 'deny' })
})

it('records what the broker refused by itself', async () => {
  const { post, refused } = setUp()
  const refusal = { clientid: 'x', username: null, peerhost: '10.0.0.9', topic: '#', reason: 'topic', attempts: 2 }
  await post(mqttRefusedPath).send(refusal).expect(204)
  await post(mqttRefusedPath).send({ topic: 1 }).expect(400)
  expect(refused).toEqual([refusal])
})

describe('many questions at once', () => {
  const ask = (questions: unknown, answer?: Parameters<typeof setUp>[0]) =>
    setUp(answer)
      .post(mqttAuthBatchPath)
      .send(questions as object)

  it('are answered in order; an invalid one is denied on its own', async () => {
    const answers = [{ result: 'allow' }, { result: 'deny' }] as const
    let turn = 0
    await ask([{ clientid: 'dev-1' }, { clientid: 7 }, { clientid: 'dev-2' }], () =>
      Promise.resolve(answers[turn++] ?? { result: 'deny' })
    ).expect(200, [{ result: 'allow' }, { result: 'deny' }, { result: 'deny' }])
  })

  it('get their answers, except one that could not be checked', async () => {
    let turn = 0
    await ask([{ clientid: 'dev-1' }, { clientid: 'dev-2' }], () =>
      turn++ === 0 ? Promise.reject(new Error('the database is away')) : Promise.resolve({ result: 'allow' })
    ).expect(200, [{ result: 'ignore' }, { result: 'allow' }])
  })

  it("may be as many as the broker's largest batch", async () => {
    const questions = Array.from({ length: mqttAuthBatchMax }, () => ({
      clientid: 'dev-1',
      password: '\u0001'.repeat(500)
    }))
    const allowed = questions.map(() => ({ result: 'allow' }))
    await ask(questions).expect(200, allowed)
  })

  it.each([
    ['no list', { clientid: 'dev-1' }],
    ['a list of nothing', []],
    ['a list that is longer than 256 KiB', [{ clientid: 'x'.repeat(300_000) }]],
    ['a list that is too long', Array.from({ length: mqttAuthBatchMax + 1 }, () => ({ clientid: 'dev-1' }))]
  ])('sent as %s are refused as a whole', async (_what, questions) => {
    await ask(questions).expect(400)
  })

  it('are refused without the secret', async () => {
    await request(setUp().app).post(mqttAuthBatchPath).send([]).expect(401)
  })
})
