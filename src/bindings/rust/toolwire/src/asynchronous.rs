// SPDX-License-Identifier: MIT
//! Events of what is read without blocking.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;
use futures_io::AsyncRead;

use crate::{
    read::{decode, Ready},
    Decoder, Event,
};

const PIECE: usize = 8192;

/// Reads, decodes and finishes with [`Finish::Stop`](crate::Finish::Stop) at the
/// reader's end.  An error is the last item, behind the events that were made
/// before it.
#[must_use = "nothing is read before an event is asked for"]
pub struct AsyncEvents<R> {
    decoder: Decoder,
    reader: R,
    piece: Vec<u8>,
    ready: Ready,
    over: bool,
}

impl<R: AsyncRead + Unpin> AsyncEvents<R> {
    /// The decoder is at the begin of a message.
    pub fn new(decoder: Decoder, reader: R) -> Self {
        AsyncEvents {
            decoder,
            reader,
            piece: vec![0; PIECE],
            ready: Ready::new(),
            over: false,
        }
    }
}

impl<R: AsyncRead + Unpin> Stream for AsyncEvents<R> {
    type Item = io::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let its = &mut *self;
        while its.ready.is_empty() && !its.over {
            match Pin::new(&mut its.reader).poll_read(context, &mut its.piece) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::Interrupted => continue,
                Poll::Ready(Err(error)) => {
                    its.over = true;
                    return Poll::Ready(Some(Err(error)));
                }
                Poll::Ready(Ok(size)) => {
                    its.over = decode(&mut its.decoder, &its.piece[..size], &mut its.ready);
                }
            }
        }
        Poll::Ready(its.ready.pop_front())
    }
}
