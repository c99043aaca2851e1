// SPDX-License-Identifier: MIT
//
// The middleware of the AI SDK, version 6.  A finish reason that is a plain
// string, as in version 5, is answered with a string.
import type { DecodingOptions, Format } from './index.js';

export interface MiddlewareOptions
    extends Omit<DecodingOptions, 'tools' | 'prompt'> {
    /** What the model writes: a name, or what loadFormat() gives. */
    format: Format;
    /** false: the server's template tells the model of tools, and knows calls
     * and results of earlier turns.  true unless it is given: tools, calls and
     * results are written into the messages. */
    declare?: boolean;
    /** What the system message says of tools, in place of our words. */
    system?: (tools: { type: 'function'; name: string; description?: string;
        inputSchema: unknown }[], format: Format, toolChoice?: unknown)
        => string;
    /** What a user's message says of a tool's result. */
    result?: (part: { toolCallId: string; toolName: string;
        output: unknown }) => string;
}

/** For wrapLanguageModel({ model, middleware: toolwire({ format }) }): models
 * that write calls as text get real ones.  What of a message deviated or was
 * no usable call is in its providerMetadata.toolwire. */
export function toolwire(options: MiddlewareOptions): {
    readonly specificationVersion: 'v3';
    transformParams(options: any): Promise<any>;
    wrapGenerate(options: any): Promise<any>;
    wrapStream(options: any): Promise<any>;
};
