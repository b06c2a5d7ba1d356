import { config } from 'zod'

/** Zod compiles schemas with `new Function`, and tries whether it may: the content security policy reports each try. */
config({ jitless: true })
