import type { Actor } from '../people/actor.ts'
import type { UploadedFile } from './call.ts'

declare global {
  namespace Express {
    interface Request {
      actor?: Actor | null
      upload?: UploadedFile
    }
  }
}
