// SPDX-License-Identifier: MIT
//
// That a CommonJS module has each entry with its types, in a lib that knows
// neither the page nor `using`.
import toolwire = require('toolwire');
import inline = require('toolwire/inline');
import sdk = require('toolwire/ai-sdk');

const decoder = new toolwire.Decoder('hermes');
decoder[Symbol.dispose]();
const content: string | null = inline.decode('a', 'hermes').content;
if (content !== 'a' || sdk.toolwire({ format: 'hermes' })
    .specificationVersion !== 'v3') {
    throw new Error('not what the types say');
}
