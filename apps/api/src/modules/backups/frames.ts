/** The compressed part of a backup is a sequence of frames: one byte for the kind, four for the length, the content. */
export const FRAME = { table: 1, rows: 2, end: 3 } as const;
const PREFIX_BYTES = 5;

export interface Frame {
  kind: number;
  content: Buffer;
}

export function encodeFrame(kind: number, content: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt8(kind);
  prefix.writeUInt32BE(content.length, 1);
  return Buffer.concat([prefix, content]);
}

export function encodeJsonFrame(kind: number, value: object): Buffer {
  return encodeFrame(kind, Buffer.from(JSON.stringify(value)));
}

/** Cuts a stream into its frames. Throws if it ends within one. */
export async function* decodeFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest: Buffer[] = [];
  let rest_bytes = 0;
  let wanted_bytes = PREFIX_BYTES;
  for await (const chunk of chunks) {
    rest.push(chunk);
    rest_bytes += chunk.length;
    // A frame may need many chunks: they are joined once, when it is complete.
    if (rest_bytes < wanted_bytes) continue;
    const bytes = Buffer.concat(rest);
    let offset = 0;
    for (;;) {
      wanted_bytes = PREFIX_BYTES;
      if (bytes.length - offset < wanted_bytes) break;
      wanted_bytes += bytes.readUInt32BE(offset + 1);
      if (bytes.length - offset < wanted_bytes) break;
      yield { kind: bytes.readUInt8(offset), content: bytes.subarray(offset + PREFIX_BYTES, offset + wanted_bytes) };
      offset += wanted_bytes;
    }
    rest = [bytes.subarray(offset)];
    rest_bytes = bytes.length - offset;
  }
  if (rest_bytes > 0) throw new Error('the backup ends within a frame');
}
