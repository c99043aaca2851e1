// SPDX-License-Identifier: MIT
//! Events of what is read without blocking.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;
use futures_io::AsyncRead;

use crate::{Decoder, Event, Finish};

const PIECE: usize = 8192;

/// Reads, decodes and finishes with [`Finish::Stop`] at the reader's end.
pub struct AsyncEvents<R> {
    decoder: Decoder,
    reader: R,
    piece: Vec<u8>,
    ready: VecDeque<Event>,
    over: bool,
}

impl<R: AsyncRead + Unpin> AsyncEvents<R> {
    /// The decoder is at the begin of a message.
    pub fn new(decoder: Decoder, reader: R) -> Self {
        AsyncEvents {
            decoder,
            reader,
            piece: vec![0; PIECE],
            ready: VecDeque::new(),
            over: false,
        }
    }

    fn take(&mut self, size: usize) -> crate::Result<()> {
        self.over = size == 0;
        let events = if self.over {
            self.decoder.finish(Finish::Stop)?
        } else {
            self.decoder.events(&self.piece[..size])?
        };
        for event in events {
            self.ready.push_back(event?);
        }
        Ok(())
    }
}

impl<R: AsyncRead + Unpin> Stream for AsyncEvents<R> {
    type Item = io::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let its = &mut *self;
        while its.ready.is_empty() && !its.over {
            let size = match Pin::new(&mut its.reader).poll_read(context, &mut its.piece) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::Interrupted => continue,
                Poll::Ready(size) => size,
            };
            let taken = size.and_then(|size| its.take(size).map_err(io::Error::other));
            if let Err(error) = taken {
                its.over = true;
                its.ready.clear();
                return Poll::Ready(Some(Err(error)));
            }
        }
        Poll::Ready(its.ready.pop_front().map(Ok))
    }
}
