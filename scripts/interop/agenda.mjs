// Tests agenda 6 with its Mongo backend: immediate, delayed and recurring jobs, shared by two workers. Runs in its own folder.
import assert from 'node:assert/strict'
import { MongoBackend } from '@agendajs/mongo-backend'
import { Agenda } from 'agenda'

const address = process.argv[2]
const done = []
const open = async (name) => {
  const agenda = new Agenda({ backend: new MongoBackend({ address }), processEvery: 100, name })
  agenda.define('greet', async (job) => void done.push({ name, who: job.attrs.data.who }))
  agenda.define('tick', async () => void done.push({ name, who: 'tick' }))
  agenda.define('fail', async () => {
    throw new Error('on purpose')
  })
  await agenda.start()
  return agenda
}
const until = async (test, what) => {
  for (let i = 0; i < 200; i++) {
    if (await test()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`it did not happen: ${what}`)
}

const workers = [await open('one'), await open('two')]
for (let i = 0; i < 20; i++) await workers[i % 2].now('greet', { who: i })
await workers[0].schedule('in 1 second', 'greet', { who: 'later' })
await workers[0].every('1 second', 'tick')
await workers[0].now('fail', {})
await until(() => done.filter(({ who }) => who === 'tick').length >= 2, 'a job that comes again')
await until(() => done.some(({ who }) => who === 'later'), 'a job for later')
await until(() => done.filter(({ who }) => typeof who === 'number').length >= 20, 'twenty jobs')
const greeted = done.filter(({ who }) => typeof who === 'number').map(({ who }) => who)
assert.deepEqual(
  greeted.toSorted((a, b) => a - b),
  Array.from({ length: 20 }, (_, i) => i),
  'each job is done once'
)
await until(
  async () => (await workers[0].queryJobs({ name: 'fail' })).jobs.some((job) => job.failReason),
  'a failure is kept'
)
assert.ok((await workers[0].cancel({ name: 'tick' })) >= 1, 'a job is cancelled')
for (const worker of workers) await worker.stop()
console.log(`${done.length} jobs of two workers`)
process.exit(0)
