import { minuteMs } from '@batti/kit/durations'
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { messageOf } from '@batti/kit/message-of'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError } from '../../app-error.ts'
import { isFileKey, unlessMissing, type FileStore } from './files.ts'

export interface S3Options {
  bucket: string
  region: string
  /** Endpoint of an S3-compatible service (MinIO, Garage, R2); AWS if undefined. */
  endpoint?: string | undefined
  /** If undefined, the SDK uses the machine's own role. */
  accessKey?: string | undefined
  secretKey?: string | undefined
}

const isNoKey = (error: unknown): boolean => error instanceof NoSuchKey

const timeoutMs = 10_000
/** For transferring a whole firmware image. */
const largeTimeoutMs = 2 * minuteMs

/** Stores files in an S3-compatible bucket. The bucket stays private: the api reads from it and serves the files. */
export function createS3Files(options: S3Options): FileStore {
  const { bucket, region, endpoint, accessKey, secretKey } = options
  const client = new S3Client({
    region,
    maxAttempts: 3,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(accessKey === undefined || secretKey === undefined
      ? {}
      : { credentials: { accessKeyId: accessKey, secretAccessKey: secretKey } })
  })
  const keyOf = (key: string): string => {
    if (!isFileKey(key)) throw new Error('That is not the key of a file.')
    return key
  }
  /** Waits for the bucket. @throws AppError when it refuses or cannot be reached; the log names the setting. */
  const answerOf = <Answer>(sent: Promise<Answer>): Promise<Answer> =>
    sent.catch((error: unknown) => {
      if (isNoKey(error)) throw error
      const cause = new Error(`the bucket of S3_BUCKET (${bucket}) cannot be used: ${messageOf(error)}`, {
        cause: error
      })
      const words = 'The storage of pictures and files cannot be used. Please try again after 5 seconds.'
      throw new AppError('UNAVAILABLE', words, { cause, retryAfterS: 5 })
    })
  const abort = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) })

  return {
    async put(key, bytes, contentType) {
      const command = new PutObjectCommand({ Bucket: bucket, Key: keyOf(key), Body: bytes, ContentType: contentType })
      await answerOf(client.send(command, abort()))
    },
    async putFile(key, path, contentType) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: keyOf(key),
        Body: createReadStream(path),
        ContentLength: (await stat(path)).size,
        ContentType: contentType
      })
      await answerOf(client.send(command, { abortSignal: AbortSignal.timeout(largeTimeoutMs) }))
    },
    async open(key, { start, end }) {
      const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(key), Range: `bytes=${start}-${end}` })
      const sent = client.send(command, { abortSignal: AbortSignal.timeout(largeTimeoutMs) })
      const found = await unlessMissing(answerOf(sent), isNoKey)
      if (found === null) return null
      if (!(found.Body instanceof Readable)) throw new Error('The bucket answered without a body.')
      return found.Body
    },
    async get(key) {
      const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(key) })
      const found = await unlessMissing(answerOf(client.send(command, abort())), isNoKey)
      return found?.Body === undefined ? null : Buffer.from(await found.Body.transformToByteArray())
    },
    async remove(key) {
      await answerOf(client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(key) }), abort()))
    }
  }
}
